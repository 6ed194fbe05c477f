// swift-tools-version: 6.0
import PackageDescription

// A package of its own: a library product of the server's package would make Xcode fetch the server's dependencies.
let package = Package(
    name: "BelfryKit",
    platforms: [.iOS(.v13)],
    targets: [
        .target(name: "BelfryCore"),
        .testTarget(name: "BelfryCoreTests", dependencies: ["BelfryCore"]),
    ],
    swiftLanguageModes: [.v6]
)
