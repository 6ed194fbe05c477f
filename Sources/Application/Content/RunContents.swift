public import Campaigns
import JSON
import Notifications
public import Store

/// The contents of a run, ready to be composed.
public struct RunContent: Sendable {
    public let source: RunSource
    /// In the order of the run's variants. All need the same columns.
    public let variants: [CompiledContent]

    public init(source: RunSource, variants: [CompiledContent]) {
        self.source = source
        self.variants = variants
    }

    /// The columns that are read for each recipient, whatever its variant.
    public var needs: [Field] { variants.first?.needs ?? [] }
}

/// Compiles the contents of runs.
public struct RunContents: Sendable {
    private let runs: RunContentStore
    private let media: any MediaFinder

    public init(runs: RunContentStore, media: any MediaFinder) {
        self.runs = runs
        self.media = media
    }

    /// Nil when the run was deleted.
    public func content(of run: Run.Key) async throws -> RunContent? {
        guard let source = try await runs.source(of: run) else { return nil }
        var columns = ContentFields()
        var variants: [CompiledContent] = []
        for variant in source.variants {
            variants.append(try await compile(variant.body, of: source, &columns))
        }
        return RunContent(source: source, variants: variants.map { $0.reading(columns) })
    }

    private func compile(
        _ body: RunSource.Body, of source: RunSource, _ columns: inout ContentFields
    ) async throws -> CompiledContent {
        let payload: Payload
        switch body {
        case .cancelled: payload = Payload()
        case .payload(let text): payload = try Payload(json: try JSON(parsing: text))
        case .content(let text):
            var content = try TemplateContent(json: try JSON(parsing: text))
            // That of a campaign's own content is the campaign's.
            content.pushType = source.pushType
            var context = source.context
            if let reference = content.media {
                context.media = try await media.find(reference, app: source.app)
                guard case .found = context.media else { throw MediaGone() }
            }
            return try CompiledContent(content, in: context, &columns)
        }
        return CompiledContent(
            constant: payload, pushType: source.pushType, messageIDKey: source.context.messageIDKey)
    }

    /// A run's content refers to media that was deleted since. The run is paused rather than sent without the media.
    struct MediaGone: Error, CustomStringConvertible {
        static let message: Message = "the media of the text was deleted; upload it again or send another text"

        var description: String { Self.message.description }
    }
}
