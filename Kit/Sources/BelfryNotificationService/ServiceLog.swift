import BelfryCore
import Foundation

#if canImport(os)
    import os
#endif

/// The system's log. `os_log`, because `Logger` needs iOS 14.
enum ServiceLog {
    static func log(_ diagnostic: Diagnostic) {
        #if canImport(os)
            os_log("%{public}@", log: OSLog(subsystem: "Belfry", category: "service"), "\(diagnostic)" as NSString)
        #else
            print(diagnostic)
        #endif
    }
}
