import Campaigns
import HTTPTypes
import Store

extension Operation {
    private static let path = "/v1/apps/{app}/templates"
    private static let one = path + "/{template}"

    static let templates =
        [
            Operation(
                method: .post, path: path, id: "createTemplate", summary: "Save content under a name",
                tag: "Templates", access: .secret(.campaignsWrite), body: "TemplateNew", status: 201,
                answer: "Template", isVersioned: true),
            Operation(
                method: .get, path: path, id: "listTemplates", summary: "Templates without their content, newest first",
                tag: "Templates", access: .secret(.campaignsRead), parameters: ["archived", "limit", "cursor"],
                answer: "TemplateList"),
            Operation(
                method: .post, path: path + "/preview", id: "previewContent",
                summary: "Preview content that is not saved", tag: "Templates",
                access: .secret(.campaignsRead), body: "ContentPreviewRequest", answer: "Preview"),
            Operation(
                method: .get, path: one, id: "getTemplate", summary: "A template with its newest or an older content",
                tag: "Templates", access: .secret(.campaignsRead), parameters: ["version"], answer: "Template",
                isVersioned: true),
            Operation(
                method: .patch, path: one, id: "updateTemplate", summary: "Save a new version", tag: "Templates",
                access: .secret(.campaignsWrite), parameters: ["ifMatch"], body: "TemplateChange", answer: "Template",
                isVersioned: true, problems: [409, 412, 428]),
            Operation(
                method: .get, path: one + "/versions", id: "listTemplateVersions",
                summary: "Numbers and times of all saves, newest first", tag: "Templates",
                access: .secret(.campaignsRead), parameters: ["limit", "cursor"], answer: "TemplateVersionList"),
            Operation(
                method: .get, path: one + "/campaigns", id: "listTemplateCampaigns",
                summary: "Campaigns that use it, newest first", tag: "Templates", access: .secret(.campaignsRead),
                parameters: ["limit", "cursor"], answer: "CampaignList"),
            Operation(
                method: .post, path: one + "/preview", id: "previewTemplate", summary: "Preview a template",
                tag: "Templates", access: .secret(.campaignsRead), body: "TemplatePreviewRequest", answer: "Preview"),
            Operation(
                method: .post, path: one + "/duplicate", id: "duplicateTemplate",
                summary: "Save its newest content as another template", tag: "Templates",
                access: .secret(.campaignsWrite), body: "TemplateCopy", status: 201, answer: "Template",
                isVersioned: true),
        ]
        + [
            ("archive", "Archive a template; it can't be edited or newly used"),
            ("unarchive", "Take a template out of the archive"),
        ].map { name, summary in
            Operation(
                method: .post, path: one + "/\(name)", id: "\(name)Template", summary: summary, tag: "Templates",
                access: .secret(.campaignsWrite), answer: "Template", isVersioned: true)
        }

    static let testPushes = [
        Operation(
            method: .post, path: "/v1/apps/{app}/test-pushes", id: "sendTestPushes",
            summary: "Send to test devices or a token, and wait for Apple's response", tag: "Test pushes",
            access: .secret(.testPushesSend), body: "TestPushNew", answer: "TestPushResults")
    ]
}
