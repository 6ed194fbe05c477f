// swift-tools-version: 6.2
import PackageDescription

// The arrows between targets: a target imports what its line names, and nothing else. The build is
// run with `--explicit-target-dependency-import-check error`, so a missing arrow is an error.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Async functions stay on their caller's executor: nothing leaves its loop by accident.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], resources: resources, swiftSettings: settings)
}

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")

let package = Package(
    name: "belfry",
    products: [
        .executable(name: "belfry", targets: ["Main"]),
        .executable(name: "belfry-lab", targets: ["Lab"]),
    ],
    dependencies: [
        // Exact versions: Package.resolved is not kept.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    ],
    targets: [
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        library("EventLoop", ["CLinux", deque, logging]),
        library("Crypto", ["COpenSSL"]),
        library("TLS", ["EventLoop", "COpenSSL"]),
        library("HTTP2", ["EventLoop", "TLS", "CNGHTTP2"]),
        library("HTTPServer", ["EventLoop", "TLS", "CZlib", httpTypes, logging, metrics, lifecycle]),
        library("HTTPClient", ["EventLoop", "TLS", httpTypes]),
        library("Postgres", ["EventLoop", "Crypto", "CPostgres", "CLinux", logging, deque]),
        library("PrivatePostgres", ["Postgres", "EventLoop", "Crypto", "CLinux", logging]),
        // Metrics of swift-metrics as text for Prometheus.
        library("OpenMetrics", ["EventLoop", .product(name: "CoreMetrics", package: "swift-metrics")]),
        library("JSON"),
        library("Notifications", ["JSON"]),
        library("APNS", ["EventLoop", "TLS", "HTTP2", "Crypto", "JSON", "Notifications", logging, metrics]),
        library(
            "APNSSimulator",
            ["EventLoop", "TLS", "HTTP2", "HTTPClient", "Crypto", httpTypes, logging, lifecycle, deque]),
        // Assigns people to variants, and computes intervals and verdicts.
        library("Experiments"),
        library("Campaigns", ["JSON", "Notifications", "Experiments"]),
        library("Administration", ["Campaigns", "JSON", "Notifications"]),
        library(
            "Store",
            [
                "Administration", "Campaigns", "Experiments", "JSON", "Notifications", "Postgres", "EventLoop",
                "Crypto",
                logging,
            ]),
        library(
            "Application",
            [
                "Store", "Administration", "Campaigns", "Experiments", "JSON", "Notifications", "Postgres", "EventLoop",
                "Crypto", logging,
            ]),
        library(
            "Dispatcher",
            [
                "Application", "Store", "APNS", "HTTPClient", "TLS", "Campaigns", "JSON", "Notifications", "EventLoop",
                "Postgres", "Crypto", httpTypes, logging, metrics, lifecycle,
            ]),
        library(
            "API",
            [
                "Application", "Store", "HTTPServer", "Administration", "Campaigns", "Experiments", "JSON",
                "Notifications", "EventLoop", "Postgres",
                "Crypto",
                httpTypes,
                logging,
            ]),
        // The commands of `belfry`, and the assembly of everything.
        library(
            "Belfry",
            [
                "Application", "EventLoop", "Crypto", "TLS", "HTTPServer", "HTTPClient", "Postgres", "PrivatePostgres",
                "JSON", "Notifications", "APNS", "APNSSimulator", "Administration", "Campaigns", "Store", "Dispatcher",
                "API", "OpenMetrics", logging, metrics, lifecycle, httpTypes, argumentParser,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Configuration", package: "swift-configuration"),
            ]),
        // The executable `belfry`.
        .executableTarget(
            name: "Main", dependencies: ["Belfry", "Crypto", argumentParser], swiftSettings: settings),
        // The executable `belfry-lab`: benchmarks and injected faults.
        .executableTarget(
            name: "Lab",
            dependencies: [
                "Belfry", "Administration", "API", "APNS", "APNSSimulator", "Application", "Campaigns", "Crypto",
                "Dispatcher", "EventLoop", "HTTP2", "JSON", "Notifications", "Postgres", "PrivatePostgres", "Store",
                "TLS", logging, lifecycle, httpTypes, argumentParser,
            ],
            swiftSettings: settings),

        // What several test targets need: a database from a template, certificates, byte splits.
        .target(
            name: "TestSupport",
            dependencies: ["EventLoop", "JSON", "Postgres", "PrivatePostgres", "Crypto", "TLS", "COpenSSL", logging],
            path: "Tests/TestSupport", swiftSettings: settings),
        // A database with Belfry's schema, and the stores on it.
        .target(
            name: "StoreSupport",
            dependencies: [
                "Store", "Administration", "Campaigns", "JSON", "Notifications", "Postgres", "EventLoop", "Crypto",
                "TestSupport",
                logging,
            ],
            path: "Tests/StoreSupport", swiftSettings: settings),
        // What fuzzing and `FuzzTests` check for any input.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "HTTPServer", "API", "Store", "Campaigns", "JSON", "Notifications", "Postgres", "EventLoop", httpTypes,
            ],
            path: "Tests/FuzzTargets", swiftSettings: settings),
        tests("FuzzTests", ["FuzzTargets"], resources: [.copy("Corpus"), .copy("Seeds")]),
        tests("EventLoopTests", ["EventLoop", logging]),
        tests("CryptoTests", ["Crypto"]),
        tests("OpenMetricsTests", ["OpenMetrics", metrics]),
        tests("TLSTests", ["TLS", "EventLoop", "COpenSSL"]),
        tests("HTTP2Tests", ["HTTP2", "TLS", "EventLoop"]),
        // Belfry's HTTP server with nothing behind it, for tests of how requests are divided.
        .executableTarget(
            name: "EchoServer", dependencies: ["HTTPServer", "EventLoop", httpTypes, logging],
            path: "Tests/EchoServer", swiftSettings: settings),
        tests(
            "HTTPServerTests", ["HTTPServer", "HTTPClient", "EventLoop", "TLS", "EchoServer", httpTypes, logging],
            resources: [.copy("SmugglingCases.json")]),
        tests("PostgresTests", ["Postgres", "EventLoop", logging]),
        tests("PrivatePostgresTests", ["PrivatePostgres", "Postgres", "EventLoop", logging]),
        tests("JSONTests", ["JSON"]),
        tests("NotificationsTests", ["JSON", "Notifications"], resources: [.copy("Fixtures")]),
        tests(
            "APNSTests",
            ["APNS", "APNSSimulator", "HTTP2", "TLS", "EventLoop", "Crypto", "JSON", "Notifications", logging]),
        tests(
            "APNSSimulatorTests",
            ["APNSSimulator", "HTTP2", "TLS", "EventLoop", "Crypto", "JSON", "Notifications", logging]),
        tests("ExperimentsTests", ["Experiments"]),
        tests("CampaignsTests", ["Campaigns", "JSON", "Notifications"]),
        tests("AdministrationTests", ["Administration", "Campaigns", "JSON"]),
        tests(
            "StoreTests",
            [
                "StoreSupport", "Store", "Administration", "Campaigns", "JSON", "Notifications", "Postgres",
                "EventLoop", "Crypto", logging,
            ]),
        tests(
            "ApplicationTests",
            [
                "Application", "StoreSupport", "Store", "Administration", "Campaigns", "Experiments", "JSON",
                "Notifications",
                "Postgres",
                "PrivatePostgres", "EventLoop", "Crypto", logging,
            ]),
        tests(
            "DispatcherTests",
            [
                "Dispatcher", "Application", "Store", "Campaigns", "JSON", "Notifications", "APNS", "APNSSimulator",
                "HTTPServer", "HTTP2", "TLS", httpTypes,
                "EventLoop", "Postgres", "PrivatePostgres", "Crypto", logging, lifecycle,
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        tests(
            "APITests",
            [
                "API", "Application", "Store", "Administration", "Campaigns", "JSON", "Notifications", "HTTPServer",
                "HTTPClient",
                "EventLoop",
                "Postgres",
                "Crypto",
                httpTypes, logging,
            ]),
        tests(
            "BelfryTests",
            [
                "Belfry", "API", "APNS", "APNSSimulator", "Campaigns", "Crypto", "EventLoop", "HTTPClient",
                "HTTPServer", "JSON", "Lab", "Notifications", "Postgres", "PrivatePostgres", "Store", "TLS", httpTypes,
                logging, argumentParser,
                .product(name: "Configuration", package: "swift-configuration"),
            ]),
        tests(
            "LabTests",
            ["Lab", "APNSSimulator", "Campaigns", "EventLoop", "JSON", "Postgres", "Store"]),
    ]
)

// Under the thread sanitizer only the modules that share memory between threads are tested, and only they are built.
if Context.environment["BELFRY_TSAN"] != nil {
    let tested: Set = ["EventLoopTests", "TLSTests", "HTTP2Tests", "HTTPServerTests", "PostgresTests", "APNSTests"]
    package.targets.removeAll { $0.type == .test && !tested.contains($0.name) }
    package.targets.removeAll {
        [
            "Main", "Lab", "Belfry", "API", "Dispatcher", "Application", "Store", "StoreSupport", "FuzzTargets",
        ].contains($0.name)
    }
    package.products = []
}

// The program of `make fuzz`: libFuzzer, which only links into code that is compiled for it.
if Context.environment["BELFRY_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzer", dependencies: ["FuzzTargets"], path: "Tests/Fuzzer", swiftSettings: settings))
}
