// swift-tools-version: 6.0
import Foundation
import PackageDescription

// The targets that use Apple's frameworks are compiled on Linux, too, against stubs with Apple's names. On a Mac the
// stubs would hide the frameworks, so they exist on Linux only. The condition is about the computer that builds.
#if os(Linux)
    let stubs: [Target] = [
        .target(name: "UserNotifications", path: "Tests/AppleStubs/UserNotifications"),
        .target(name: "UIKit", dependencies: ["UserNotifications"], path: "Tests/AppleStubs/UIKit"),
        .target(
            name: "UserNotificationsUI", dependencies: ["UIKit", "UserNotifications"],
            path: "Tests/AppleStubs/UserNotificationsUI"),
        .target(name: "SwiftUI", dependencies: ["UIKit"], path: "Tests/AppleStubs/SwiftUI"),
    ]
    // No stub: a module for the system's library, with the name that it has in Apple's SDKs.
    let zlib: [Target] = [
        .systemLibrary(name: "zlib", path: "Tests/AppleStubs/zlib", providers: [.apt(["zlib1g-dev"])])
    ]
    // The sample app of the guide. The link leads to Docs/SampleApp, which the published package does not have. The
    // caller in Objective-C is checked by Scripts/checks/kit-objective-c.
    let hasSample = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests/SampleApp/App")
    let samples: [Target] =
        hasSample
        ? [
            .target(
                name: "SampleApp",
                dependencies: ["BelfryKit", "BelfryNotificationService", "BelfryNotificationContent"]
                    + stubs.map { .byName(name: $0.name) },
                path: "Tests/SampleApp", exclude: ["ObjectiveC", "README.md", "Tests"]),
            .testTarget(
                name: "SampleAppTests", dependencies: ["BelfryCore", "BelfryTesting"], path: "Tests/SampleApp/Tests"),
        ] : []
    let frameworks: [Target.Dependency] = ["UserNotifications", "UIKit", "UserNotificationsUI"]
    // A program that a test kills; iOS starts none.
    let programs: [Target] = [
        .executableTarget(name: "QueueProcess", dependencies: ["BelfryCore"], path: "Tests/QueueProcess"),
        .testTarget(name: "EndToEndTests", dependencies: ["BelfryCore", "QueueProcess"]),
    ]
#else
    let stubs: [Target] = []
    let zlib: [Target] = []
    let samples: [Target] = []
    let frameworks: [Target.Dependency] = []
    let programs: [Target] = []
#endif

// Apple asks for a manifest of what each target collects and which interfaces it uses; App Store Connect looks at each
// extension alone.
let privacy: [Resource] = [.process("PrivacyInfo.xcprivacy")]

// A package of its own: a library product of the server's package would make Xcode fetch the server's dependencies.
let package = Package(
    name: "BelfryKit",
    platforms: [.iOS(.v13)],
    products: ["BelfryKit", "BelfryNotificationService", "BelfryNotificationContent", "BelfryTesting"].map {
        Product.`library`(name: $0, targets: [$0])
    },
    targets: [
        .target(
            name: "BelfryCore", dependencies: zlib.map { .byName(name: $0.name) }, resources: privacy,
            linkerSettings: [.linkedLibrary("z")]),
        .target(name: "BelfryTesting", dependencies: ["BelfryCore"]),
        .target(name: "BelfryKit", dependencies: ["BelfryCore"] + frameworks, resources: privacy),
        .target(name: "BelfryNotificationService", dependencies: ["BelfryCore"] + frameworks, resources: privacy),
        .target(name: "BelfryNotificationContent", dependencies: ["BelfryCore"] + frameworks, resources: privacy),
        .testTarget(name: "BelfryCoreTests", dependencies: ["BelfryCore", "BelfryTesting"]),
        .target(name: "KitTestSupport", path: "Tests/KitTestSupport"),
        .testTarget(
            name: "BelfryKitTests", dependencies: ["BelfryKit", "BelfryTesting", "KitTestSupport"] + frameworks),
        .testTarget(
            name: "BelfryNotificationServiceTests",
            dependencies: ["BelfryNotificationService", "KitTestSupport"] + frameworks),
        .testTarget(name: "BelfryNotificationContentTests", dependencies: ["BelfryNotificationContent"] + frameworks),
    ] + zlib + stubs + samples + programs,
    swiftLanguageModes: [.v6]
)
