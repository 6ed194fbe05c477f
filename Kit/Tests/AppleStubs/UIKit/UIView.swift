import Foundation

@MainActor
open class UIView: UIResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let flexibleWidth = Self(rawValue: 1 << 1)
        public static let flexibleHeight = Self(rawValue: 1 << 4)
    }

    open var frame = CGRect.zero
    open var autoresizingMask: AutoresizingMask = []
    open private(set) var subviews: [UIView] = []
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

    open func addSubview(_ view: UIView) { subviews.append(view) }
}

@MainActor
open class UIImageView: UIView {
    open var image: UIImage?
}

@MainActor
open class UILabel: UIView {
    open var text: String?
}

open class UIImage: NSObject {
    /// Nil if the file is no image; this one does not look.
    public init?(contentsOfFile path: String) {}
}
