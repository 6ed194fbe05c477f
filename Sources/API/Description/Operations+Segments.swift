import Campaigns
import HTTPTypes
import Store

extension Operation {
    private static let path = "/v1/apps/{app}/segments"
    private static let one = path + "/{segment}"

    static let segments =
        [
            Operation(
                method: .post, path: path, id: "createSegment", summary: "Save an audience under a name",
                tag: "Segments", access: .secret(.campaignsWrite), body: "SegmentNew", status: 201, answer: "Segment",
                isVersioned: true, problems: [409]),
            Operation(
                method: .get, path: path, id: "listSegments", summary: "Segments, newest first", tag: "Segments",
                access: .secret(.campaignsRead), parameters: ["archived", "limit", "cursor"], answer: "SegmentList"),
            Operation(
                method: .get, path: one, id: "getSegment", summary: "A segment, and what uses it", tag: "Segments",
                access: .secret(.campaignsRead), answer: "SegmentShown", isVersioned: true),
            Operation(
                method: .patch, path: one, id: "updateSegment",
                summary: "Change a segment; campaigns that use it are sent to whom it then holds", tag: "Segments",
                access: .secret(.campaignsWrite), parameters: ["ifMatch"], body: "SegmentChange", answer: "Segment",
                isVersioned: true, problems: [409, 412, 428]),
            Operation(
                method: .delete, path: one, id: "deleteSegment", summary: "Delete a segment that nothing uses",
                tag: "Segments", access: .secret(.campaignsWrite), status: 204, problems: [409]),
            Operation(
                method: .get, path: one + "/count", id: "countSegment", summary: "How many it has, and some of them",
                tag: "Segments", access: .secret(.campaignsRead), answer: "AudienceCount", problems: [422]),
            Operation(
                method: .post, path: "/v1/apps/{app}/audiences/count", id: "countAudience",
                summary: "How many an audience has, and some of them", tag: "Segments",
                access: .secret(.campaignsRead), body: "AudienceCountRequest", answer: "AudienceCount"),
        ]
        + [("archive", "Let nothing begin to use it"), ("unarchive", "Take it out of the archive")].map {
            name, summary in
            Operation(
                method: .post, path: one + "/\(name)", id: "\(name)Segment", summary: summary, tag: "Segments",
                access: .secret(.campaignsWrite), answer: "Segment", isVersioned: true)
        }
}
