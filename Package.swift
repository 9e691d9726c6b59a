// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

// Target names carry the package's name because SwiftPM refuses two targets of one name in a
// graph, and `Promises`, `Client` and `CSQLite` are taken by packages that apps already use.
let package = Package(
    name: "larder",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Larder", targets: ["Larder"]),
        .library(name: "LarderPromises", targets: ["LarderPromises"]),
        .library(name: "LarderTesting", targets: ["LarderTesting"]),
        .library(name: "LarderXML", targets: ["LarderXML"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CLarderSQLite",
            path: "Sources/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(
            name: "CLarderCurl",
            path: "Sources/CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .target(name: "LarderPromises", path: "Sources/Promises"),
        .macro(
            name: "LarderEntityMacros",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ],
            path: "Sources/EntityMacros"
        ),
        .target(
            name: "LarderObjectStore",
            dependencies: ["CLarderSQLite", "LarderEntityMacros", "LarderPromises"],
            path: "Sources/ObjectStore"
        ),
        .target(
            name: "LarderClient",
            dependencies: [
                "LarderObjectStore",
                "LarderPromises",
                .target(name: "CLarderCurl", condition: .when(platforms: [.linux])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Client"
        ),
        .target(
            name: "Larder",
            dependencies: [
                "LarderClient", "LarderObjectStore", "LarderPromises",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "LarderXML",
            dependencies: [
                "LarderClient", "LarderObjectStore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "LarderTesting",
            dependencies: [
                "Larder",
                "LarderClient",
                "LarderObjectStore",
                "LarderPromises",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(name: "PromisesTests", dependencies: ["LarderPromises"]),
        .testTarget(
            name: "EntityMacrosTests",
            dependencies: [
                "LarderEntityMacros",
                "LarderObjectStore",
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ]
        ),
        .testTarget(
            name: "ObjectStoreTests", dependencies: ["LarderObjectStore", "CLarderSQLite"]),
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "FaultRunner", "LarderClient", "LarderObjectStore", "LarderPromises",
                "LarderTesting", "LarderXML", "TestProgram",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "XMLTests",
            dependencies: [
                "LarderXML", "LarderClient", "LarderObjectStore", "LarderPromises", "LarderTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "LarderTests", dependencies: ["Larder", "LarderTesting", "TestProgram"],
            exclude: ["Parity"]),
        .target(
            name: "FaultVFS", dependencies: ["CLarderSQLite"], path: "Tests/FaultVFS",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "FaultRunner",
            dependencies: [
                "FaultVFS", "LarderClient", "LarderObjectStore", "LarderPromises", "CLarderSQLite",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/FaultRunner"),
        .target(name: "TestProgram", path: "Tests/TestProgram"),
        .testTarget(name: "ReliabilityTests", dependencies: ["FaultRunner", "TestProgram"]),
        .testTarget(
            name: "CompilerTests", dependencies: ["Larder", "TestProgram"], exclude: ["Fixtures"]),
    ],
    swiftLanguageModes: [.v6]
)

// `make docs` sets this; nobody else needs the plugin.
if Context.environment["LARDER_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// `Scripts/sanitize` names the test targets that are wanted: without the macros' tests everything is
// built once, and with them, for the sake of their host, twice.
if let wanted = Context.environment["LARDER_TESTS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// CI and `make check` set this: a warning in our own targets is an error, in dependencies it is not.
let warningsAreErrors = Context.environment["LARDER_WARNINGS_AS_ERRORS"] != nil

// `Scripts/test-urlsession` sets this: on Linux, the files of the URLSession transport are compiled over
// FoundationNetworking, and clients and tests use it. Nothing else should, as that is not fit for use.
let usesURLSession = Context.environment["LARDER_URLSESSION"] != nil

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
    if usesURLSession, ["LarderClient", "ClientTests"].contains(target.name) {
        target.swiftSettings?.append(.define("LARDER_URLSESSION"))
    }
    if warningsAreErrors {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
