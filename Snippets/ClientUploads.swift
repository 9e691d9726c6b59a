// What is sent: files, forms, changes; and how far it has come.

import Foundation
import Larder

struct Receipt: Decodable {
    var id: Int
}

// snippet.multipart
struct NewPhoto: Endpoint {
    let file: URL
    let album: Int

    let path = "photos"
    let method = HTTPRequest.Method.post
    let timeout = Duration.seconds(600)

    var body: RequestBody {
        .multipart(
            fields: ["album": album, "public": true],
            [
                .file("photo", file),
                .data("preview", Data(count: 100), fileName: "small.png", contentType: "image/png"),
                .body("meta", .json(["width": 3000, "height": 2000])),
            ])
    }
}
// snippet.end

func bodies(
    _ report: URL, _ log: String, _ rows: [[String]], _ recorded: AsyncStream<Data>
) -> [RequestBody] {
    // snippet.bodies
    let bodies: [RequestBody] = [
        // The type is that of `.pdf`.
        .file(report),
        .file(report, contentType: "application/octet-stream"),
        .text(log).compressed(),
        // As it comes, and sent once it has ended.
        .stream(recorded, contentType: "audio/mp4"),

        // Of a kind of one's own, made when the request is built.
        RequestBody(contentType: "text/csv") {
            Data(rows.map { $0.joined(separator: ",") }.joined(separator: "\r\n").utf8)
        },
    ]
    // snippet.end
    return bodies
}

func progress(_ client: Client, _ file: URL) {
    // snippet.report
    client
        .reportingProgress { progress in print(progress.fractionSent ?? 0) }
        .enqueue(NewPhoto(file: file, album: 7), as: Receipt.self)
        .then { receipt in print("photo", receipt.id) }
    // snippet.end
}

// snippet.progress
func upload(_ file: URL, to client: Client) async throws -> Int {
    let upload = client.progress {
        $0.enqueue(NewPhoto(file: file, album: 7), as: Receipt.self)
    }
    for await progress in upload.progress {
        print(progress.sent, "of", progress.expectedToSend ?? 0, "bytes")
    }
    return try await upload.promise.value.id
}
// snippet.end

struct Profile: Codable {
    var name: String
    var town: String?
}

func changes(_ client: Client, _ old: Profile, _ new: Profile) {
    // snippet.changes
    // {"town": null}, where the town is gone and the name is the same
    client.enqueue(.patch("profile", body: .mergePatch(from: old, to: new)))

    client.enqueue(.patch("profile", body: .mergePatch(["name": new.name, "town": nil])))

    client.enqueue(
        .patch(
            "profile",
            body: .jsonPatch([
                .test("/name", old.name), .replace("/name", new.name), .remove("/town"),
            ])
        ))
    // snippet.end
}
