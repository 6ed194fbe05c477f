import Campaigns
import HTTPTypes
import Notifications
import Store

extension Operation {
    static let content = categories + localPlans + media

    private static let paging = ["limit", "cursor"]

    private static let categories = [
        Operation(
            method: .post, path: "/v1/apps/{app}/categories", id: "createCategory",
            summary: "Add a notification category", tag: "Categories", access: .secret(.contentWrite),
            body: "CategoryNew", status: 201, answer: "Category", isVersioned: true, problems: [409]),
        Operation(
            method: .get, path: "/v1/apps/{app}/categories", id: "listCategories", summary: "Categories, newest first",
            tag: "Categories", access: .secret(.contentRead), parameters: paging, answer: "CategoryList"),
        Operation(
            method: .get, path: "/v1/apps/{app}/categories/{category}", id: "getCategory", summary: "A category",
            tag: "Categories", access: .secret(.contentRead), answer: "Category", isVersioned: true),
        Operation(
            method: .patch, path: "/v1/apps/{app}/categories/{category}", id: "updateCategory",
            summary: "Change a category; null removes a member", tag: "Categories", access: .secret(.contentWrite),
            parameters: ["ifMatch"], body: "CategoryChange", answer: "Category", isVersioned: true,
            problems: [409, 412, 428]),
        Operation(
            method: .delete, path: "/v1/apps/{app}/categories/{category}", id: "deleteCategory",
            summary: "Delete a category", tag: "Categories", access: .secret(.contentWrite), status: 204),
        Operation(
            method: .get, path: "/v1/apps/{app}/categories/registration", id: "getCategoryRegistration",
            summary: "All categories as an app registers them, in one language", tag: "Categories",
            access: .publishable(or: .contentRead), parameters: ["locale", "form"], answer: "CategoryRegistration",
            isVersioned: true, isConditional: true),
        Operation(
            method: .get, path: "/v1/apps/{app}/categories/source", id: "getCategorySource",
            summary: "All categories as source to paste", tag: "Categories", access: .secret(.contentRead),
            parameters: ["language", "form", "locale"], answer: "Source", contentTypes: ["text/plain"]),
    ]

    private static let localPlans = [
        Operation(
            method: .post, path: "/v1/apps/{app}/local-plans", id: "createLocalPlan",
            summary: "Add a plan of local notifications", tag: "Local plans", access: .secret(.contentWrite),
            body: "LocalPlanNew", status: 201, answer: "LocalPlan", isVersioned: true, problems: [409]),
        Operation(
            method: .get, path: "/v1/apps/{app}/local-plans", id: "listLocalPlans", summary: "Plans, newest first",
            tag: "Local plans", access: .secret(.contentRead), parameters: paging, answer: "LocalPlanList"),
        Operation(
            method: .get, path: "/v1/apps/{app}/local-plans/{plan}", id: "getLocalPlan", summary: "A plan",
            tag: "Local plans", access: .secret(.contentRead), answer: "LocalPlan", isVersioned: true),
        Operation(
            method: .patch, path: "/v1/apps/{app}/local-plans/{plan}", id: "updateLocalPlan",
            summary: "Change a plan, or archive it", tag: "Local plans", access: .secret(.contentWrite),
            parameters: ["ifMatch"], body: "LocalPlanChange", answer: "LocalPlan", isVersioned: true,
            problems: [409, 412, 428]),
        Operation(
            method: .delete, path: "/v1/apps/{app}/local-plans/{plan}", id: "deleteLocalPlan",
            summary: "Delete a plan", tag: "Local plans", access: .secret(.contentWrite), status: 204),
        Operation(
            method: .get, path: "/v1/apps/{app}/local-plans/scheduled", id: "getScheduledNotifications",
            summary: "The next 64 notifications of all plans, for one device to schedule", tag: "Local plans",
            access: .publishable(or: .contentRead), parameters: ["timeZone", "locale"],
            answer: "ScheduledNotifications", isVersioned: true, isConditional: true),
    ]

    private static let media = [
        Operation(
            method: .post, path: "/v1/apps/{app}/media", id: "addMedia",
            summary: "Store a file, which is the body, or link an external one; 200 if it already exists",
            tag: "Media", access: .secret(.contentWrite), parameters: ["mediaName"], body: "File",
            bodyTypes: ["application/octet-stream"], status: 201, answer: "Media",
            otherBodies: [("application/json", "MediaLink")], isKnownAlready: true),
        Operation(
            method: .get, path: "/v1/apps/{app}/media", id: "listMedia", summary: "Media, newest first", tag: "Media",
            access: .secret(.contentRead), parameters: paging, answer: "MediaList"),
        Operation(
            method: .get, path: "/v1/apps/{app}/media/{media}", id: "getMedia", summary: "A medium",
            tag: "Media", access: .secret(.contentRead), answer: "Media"),
        Operation(
            method: .delete, path: "/v1/apps/{app}/media/{media}", id: "deleteMedia",
            summary: "Delete a medium that no template uses; devices can no longer fetch it", tag: "Media",
            access: .secret(.contentWrite), status: 204, problems: [409]),
        Operation(
            method: .get, path: "/media/{capability}/{name}", id: "getMediaContent",
            summary: "The content of a medium, for everyone who knows its address", tag: "Media", access: nil,
            answer: "File",
            contentTypes: [
                "image/jpeg", "image/png", "image/gif", "audio/wav", "audio/aiff", "audio/mpeg", "audio/mp4",
                "video/mp4", "video/mpeg", "video/x-msvideo",
            ], isVersioned: true, isConditional: true, hasRanges: true, problems: [503]),
    ]
}
