import Foundation

@MainActor
open class UIResponder: NSObject {}

@MainActor
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    public required init?(coder: NSCoder) { super.init() }

    /// Apple's is implicitly unwrapped, and never nil.
    open var view: UIView! = UIView()
    open var title: String?
    open var preferredContentSize = CGSize(width: 0, height: 0)

    open func viewDidLoad() {}
}
