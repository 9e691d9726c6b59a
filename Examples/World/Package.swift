// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "World",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "larder", path: "../.."),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .executableTarget(
            name: "World",
            dependencies: [
                .product(name: "Larder", package: "larder"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ],
            resources: [.copy("Resources")]
        )
    ],
    swiftLanguageModes: [.v6]
)
