import BelfryNotificationContent
import UIKit

final class NotificationViewController: BelfryContentViewController {
    private let image = UIImageView()
    private let caption = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        for part in [image, caption] {
            part.frame = view.bounds
            part.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            view.addSubview(part)
        }
    }

    override func show(_ push: Push, attachment: URL?) {
        image.image = attachment.flatMap { UIImage(contentsOfFile: $0.path) }
        caption.text = image.image == nil ? push.alert?.body : nil
    }
}
