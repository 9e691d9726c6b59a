#if !canImport(Darwin)
import Foundation
import TestProgram

/// Certificates for 127.0.0.1 that openssl makes, good ones and others, with their authority.
///
/// The files are `authority.pem`, `revoked.crl`, `client.pem`, `client.p12` (by the password "se:cret"), `revoked.pem`,
/// `good.pem`, `expired.pem`, `otherHost.pem`, `selfSigned.pem`, the keys `server.key` and `encrypted.key` for all
/// but the first, and `pin`, of the server's key.
enum TestCertificates {
    private struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes them in a folder of their own, which is the caller's to remove.
    static func made() async throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "larder-tls-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let made = try await TestProgram(at: URL(filePath: "/bin/sh"))
            .run(["-c", making, "sh", folder.path(percentEncoded: false)])
        guard made.status == 0 else { throw Failed(description: made.errors) }
        return folder
    }

    /// One key for all, as nothing but the names and dates matters here.
    private static let making = """
        set -e
        cd "$1"
        cat > authority.cnf <<END
        [req]
        distinguished_name = name
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        [ca]
        default_ca = records
        [records]
        database = index.txt
        default_md = sha256
        default_crl_days = 2
        END
        make_key() {
            openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"
        }
        make_key authority
        openssl req -x509 -config authority.cnf -extensions authority -key authority.key \\
            -subj "/CN=authority" -days 2 -out authority.pem
        make_key server
        openssl req -new -config authority.cnf -key server.key -subj /CN=server -out server.csr
        sign() {
            echo "subjectAltName = $2" > "$1.ext"
            openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key \\
                -CAcreateserial -extfile "$1.ext" -days "$3" -out "$1.pem"
        }
        sign good IP:127.0.0.1 2
        sign otherHost DNS:elsewhere.test 2
        sign expired IP:127.0.0.1 -1
        sign client IP:127.0.0.1 2
        sign revoked IP:127.0.0.1 2
        openssl x509 -req -in server.csr -signkey server.key -extfile good.ext -days 2 \\
            -out selfSigned.pem
        : > index.txt
        for action in "-revoke revoked.pem" "-gencrl -out revoked.crl"; do
            openssl ca -config authority.cnf -keyfile authority.key -cert authority.pem $action
        done
        openssl pkcs12 -export -in client.pem -inkey server.key -passout pass:se:cret -out client.p12
        openssl pkey -in server.key -aes256 -passout pass:se:cret -out encrypted.key
        openssl pkey -in server.key -pubout -outform der | openssl dgst -sha256 -binary \\
            | openssl base64 > pin
        """
}
#endif
