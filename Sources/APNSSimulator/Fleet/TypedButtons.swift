import Foundation

/// The buttons that came with a push, as a phone with the kit's service extension shows them.
enum TypedButtons {
    private struct Button: Decodable { let id: String }

    /// None if they can't be read, like the extension, which then shows the push without them.
    static func read(_ bytes: Slice<UnsafeRawBufferPointer>) -> [FleetConfiguration.Button] {
        guard let buttons = try? JSONDecoder().decode([Button].self, from: Data(bytes)) else { return [] }
        return buttons.map { FleetConfiguration.Button(identifier: $0.id, takesText: false) }
    }
}
