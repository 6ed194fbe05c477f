import BelfryCore
import Foundation

nonisolated extension BelfryConfiguration {
    /// Compiled into the app and into both extensions, so that the address and the key are written once.
    static let bellTower = BelfryConfiguration(
        api: "http://localhost:8080/v1/apps/1", publishableKey: "bfp_…", appGroup: "group.com.example.bells")
}
