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
                access: .secret(.campaignsRead), answer: "SegmentDetail", isVersioned: true),
            Operation(
                method: .patch, path: one, id: "updateSegment",
                summary: "Change a segment; campaigns that use it then use the new audience", tag: "Segments",
                access: .secret(.campaignsWrite), parameters: ["ifMatch"], body: "SegmentChange", answer: "Segment",
                isVersioned: true, problems: [409, 412, 428]),
            Operation(
                method: .delete, path: one, id: "deleteSegment", summary: "Delete a segment that nothing uses",
                tag: "Segments", access: .secret(.campaignsWrite), status: 204, problems: [409]),
            Operation(
                method: .get, path: one + "/count", id: "countSegment",
                summary: "Count a segment, with a sample of devices",
                tag: "Segments", access: .secret(.campaignsRead), answer: "AudienceCount", problems: [422]),
            Operation(
                method: .post, path: "/v1/apps/{app}/audiences/count", id: "countAudience",
                summary: "Count an audience, with a sample of devices", tag: "Segments",
                access: .secret(.campaignsRead), body: "AudienceCountRequest", answer: "AudienceCount"),
        ]
        + [
            ("archive", "Archive a segment; nothing can start to use it"),
            ("unarchive", "Take a segment out of the archive"),
        ].map { name, summary in
            Operation(
                method: .post, path: one + "/\(name)", id: "\(name)Segment", summary: summary, tag: "Segments",
                access: .secret(.campaignsWrite), answer: "Segment", isVersioned: true)
        }
}
