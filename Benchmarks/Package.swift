// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the peers measured here never become dependencies of the library.
let package = Package(
    name: "larder-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "larder", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .target(name: "CAllocationCounter"),
        .target(name: "Issues", dependencies: [.product(name: "Larder", package: "larder")]),
        .executableTarget(
            name: "ImportBenchmark",
            dependencies: [
                "Issues",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Larder", package: "larder"),
            ]
        ),
        .executableTarget(
            name: "ObservationBenchmark",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Larder", package: "larder"),
            ]
        ),
        .executableTarget(
            name: "ConcurrencyBenchmark",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Larder", package: "larder"),
            ]
        ),
        .target(name: "CFetchBaseline", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "FetchBenchmark",
            dependencies: [
                "Issues",
                "CFetchBaseline",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Larder", package: "larder"),
            ]
        ),
        .executableTarget(
            name: "OpenBenchmark",
            dependencies: [
                "Issues",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Larder", package: "larder"),
            ]
        ),
        .executableTarget(
            name: "LargeBenchmark",
            dependencies: ["Issues", .product(name: "Larder", package: "larder")]
        ),
        .executableTarget(
            name: "JSONBenchmark",
            dependencies: [.product(name: "Larder", package: "larder")]
        ),
        .target(name: "CRequestBaseline", linkerSettings: [.linkedLibrary("curl")]),
        .target(
            name: "CEnqueueBaseline",
            linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("sqlite3")]
        ),
        .target(name: "Nginx", dependencies: ["CRequestBaseline"]),
        .executableTarget(
            name: "EnqueueBenchmark",
            dependencies: [
                "CEnqueueBaseline",
                "CRequestBaseline",
                "Nginx",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Larder", package: "larder"),
            ]
        ),
        .executableTarget(
            name: "RequestBenchmark",
            dependencies: [
                "CRequestBaseline",
                "Nginx",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Larder", package: "larder"),
            ]
        ),
        .executableTarget(
            name: "OfflineBenchmark",
            dependencies: [
                "Issues",
                "Nginx",
                .product(name: "Larder", package: "larder"),
                .product(name: "LarderTesting", package: "larder"),
            ]
        ),
        .executableTarget(
            name: "QueueBenchmark",
            dependencies: [
                .product(name: "Larder", package: "larder"),
                .product(name: "LarderTesting", package: "larder"),
            ]
        ),
        .executableTarget(
            name: "PromiseBenchmark",
            dependencies: [
                "CAllocationCounter",
                .product(name: "LarderPromises", package: "larder"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
