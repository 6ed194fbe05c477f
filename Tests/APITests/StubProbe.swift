import API
import Notifications

/// The web, as tests know it: what stands behind an address is said by its path.
struct StubProbe: MediaProbe {
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]

    func probe(at url: MediaURL) async -> MediaProbeResult {
        switch url.text.split(separator: "/").last {
        case "image.png": .found(prefix: Self.png, size: 70_000)
        case "large.png": .found(prefix: Self.png, size: 10_000_001)
        case "page.png": .found(prefix: Array("<!DOCTYPE html><html>".utf8), size: nil)
        case "private.png": .forbidden("10.0.0.0/8, a private network")
        default: .unreachable("the connection was refused")
        }
    }
}
