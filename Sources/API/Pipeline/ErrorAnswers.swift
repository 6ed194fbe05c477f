import HTTPServer
import HTTPTypes

/// Answers with a problem document when an inner layer or the handler throws.
struct ErrorAnswers<Subject: LayerSubject>: Layer {
    private let errors: ErrorRendering
    /// Refusals to a caller are about this caller only. Caches store answers to GET only.
    private let forbidsStoring: Bool

    init(_ route: Route, _ errors: ErrorRendering) {
        self.errors = errors
        forbidsStoring = route.access != nil && route.method == .get
    }

    func around(_ next: @escaping Handler<Subject>) -> Handler<Subject> {
        { subject in
            do {
                return try await next(subject)
            } catch {
                let refusal = errors.response(to: error, subject.request)
                return forbidsStoring ? refusal.notStored() : refusal
            }
        }
    }
}
