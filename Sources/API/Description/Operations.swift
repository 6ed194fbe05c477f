import Campaigns
import HTTPTypes
import Store

// The description of all routes. A test checks that the document and the router have the same routes.

extension Operation {
    static let all =
        health + apps + credentials + keys + devices + files + people + topics + templates + segments + campaigns
        + transitions + runs + testPushes + pushes + content

    private static let paging = ["limit", "cursor"]

    private static let health = [
        Operation(
            method: .get, path: "/healthz", id: "health", summary: "Check whether the process responds", tag: "Health",
            access: nil, answer: "Status"),
        Operation(
            method: .get, path: "/readyz", id: "readiness",
            summary: "Check whether the database responds and has the right schema",
            tag: "Health", access: nil, answer: "Status", problems: [503]),
        Operation(
            method: .get, path: "/openapi.json", id: "description", summary: "This document", tag: "Health",
            access: nil, answer: "Document"),
    ]

    private static let apps = [
        Operation(
            method: .post, path: "/v1/apps", id: "createApp", summary: "Add an app", tag: "Apps",
            access: .secret(.appsWrite), body: "AppNew", status: 201, answer: "App", isVersioned: true,
            problems: [409]),
        Operation(
            method: .get, path: "/v1/apps", id: "listApps", summary: "Apps, newest first", tag: "Apps",
            access: .secret(.appsRead), parameters: paging, answer: "AppList"),
        Operation(
            method: .get, path: "/v1/apps/{app}", id: "getApp", summary: "An app", tag: "Apps",
            access: .secret(.appsRead), answer: "App", isVersioned: true),
        Operation(
            method: .patch, path: "/v1/apps/{app}", id: "updateApp", summary: "Change an app's settings", tag: "Apps",
            access: .secret(.appsWrite), parameters: ["ifMatchOptional"], body: "AppChange", answer: "App",
            isVersioned: true, problems: [409, 412]),
        Operation(
            method: .delete, path: "/v1/apps/{app}", id: "deleteApp",
            summary: "Delete an app with its devices, campaigns and ledgers", tag: "Apps",
            access: .secret(.appsWrite), status: 204, problems: [409]),
    ]

    private static let credentials = [
        Operation(
            method: .post, path: "/v1/apps/{app}/credentials", id: "createCredential",
            summary: "Store an APNs signing key (.p8), encrypted", tag: "Credentials", access: .secret(.appsWrite),
            body: "CredentialNew", status: 201, answer: "Credential", problems: [409]),
        Operation(
            method: .get, path: "/v1/apps/{app}/credentials", id: "listCredentials",
            summary: "Credentials, newest first", tag: "Credentials", access: .secret(.appsRead), parameters: paging,
            answer: "CredentialList"),
        Operation(
            method: .delete, path: "/v1/apps/{app}/credentials/{credential}", id: "deleteCredential",
            summary: "Delete a credential", tag: "Credentials", access: .secret(.appsWrite), status: 204),
    ]

    private static let keys = [
        Operation(
            method: .post, path: "/v1/apps/{app}/keys", id: "createKey",
            summary: "Create an API key for the app; only this response contains it", tag: "Keys",
            access: .secret(.keys), body: "KeyNew", status: 201, answer: "KeyWithSecret"),
        Operation(
            method: .get, path: "/v1/apps/{app}/keys", id: "listKeys", summary: "API keys, newest first", tag: "Keys",
            access: .secret(.keys), parameters: paging, answer: "KeyList"),
        Operation(
            method: .delete, path: "/v1/apps/{app}/keys/{key}", id: "revokeKey", summary: "Revoke an API key",
            tag: "Keys", access: .secret(.keys), status: 204),
    ]

    private static let campaigns = [
        Operation(
            method: .post, path: "/v1/apps/{app}/campaigns", id: "createCampaign", summary: "Create a draft",
            tag: "Campaigns", access: .secret(.campaignsWrite), body: "CampaignNew", status: 201, answer: "Campaign",
            isVersioned: true),
        Operation(
            method: .get, path: "/v1/apps/{app}/campaigns", id: "listCampaigns", summary: "Campaigns, newest first",
            tag: "Campaigns", access: .secret(.campaignsRead), parameters: ["archived"] + paging,
            answer: "CampaignList"),
        Operation(
            method: .get, path: "/v1/apps/{app}/campaigns/{campaign}", id: "getCampaign", summary: "A campaign",
            tag: "Campaigns", access: .secret(.campaignsRead), answer: "Campaign", isVersioned: true),
        Operation(
            method: .patch, path: "/v1/apps/{app}/campaigns/{campaign}", id: "updateCampaign",
            summary: "Edit a campaign that has not been sent", tag: "Campaigns", access: .secret(.campaignsWrite),
            parameters: ["ifMatch"], body: "CampaignChange", answer: "Campaign", isVersioned: true,
            problems: [409, 412, 428]),
        Operation(
            method: .delete, path: "/v1/apps/{app}/campaigns/{campaign}", id: "deleteCampaign",
            summary: "Delete a draft", tag: "Campaigns", access: .secret(.campaignsWrite), status: 204,
            problems: [409]),
        Operation(
            method: .get, path: "/v1/apps/{app}/campaigns/{campaign}/forecast", id: "forecastCampaign",
            summary: "Forecast how many pushes are sent when, which recipients are skipped and why", tag: "Campaigns",
            access: .secret(.campaignsRead), answer: "Forecast", problems: [409, 422]),
        Operation(
            method: .post, path: "/v1/apps/{app}/campaigns/{campaign}/duplicate", id: "duplicateCampaign",
            summary: "Create a draft with the same content", tag: "Campaigns", access: .secret(.campaignsWrite),
            body: "CampaignCopy", isBodyOptional: true, status: 201, answer: "Campaign", isVersioned: true),
        Operation(
            method: .post, path: "/v1/apps/{app}/campaigns/{campaign}/archive", id: "archiveCampaign",
            summary: "Move a campaign to the archive", tag: "Campaigns", access: .secret(.campaignsWrite),
            answer: "Campaign",
            isVersioned: true, problems: [409]),
        Operation(
            method: .post, path: "/v1/apps/{app}/campaigns/{campaign}/unarchive", id: "unarchiveCampaign",
            summary: "Take a campaign out of the archive", tag: "Campaigns", access: .secret(.campaignsWrite),
            answer: "Campaign", isVersioned: true, problems: [409]),
    ]

    private static let transitions =
        [
            Operation(
                method: .post, path: "/v1/apps/{app}/campaigns/{campaign}/schedule", id: "scheduleCampaign",
                summary: "Schedule a campaign, with its own schedule or the one in the body", tag: "Campaigns",
                access: .secret(.campaignsSend),
                parameters: ["ifMatchOptional"], body: "ScheduleRequest", isBodyOptional: true, answer: "Campaign",
                isVersioned: true, problems: [409, 412]),
            Operation(
                method: .post, path: "/v1/apps/{app}/campaigns/{campaign}/trigger", id: "triggerCampaign",
                summary: "Start a run of a campaign with a triggered schedule", tag: "Campaigns",
                access: .secret(.campaignsSend), parameters: ["triggerKey"], body: "Trigger", isBodyOptional: true,
                status: 202, answer: "TriggerResult", problems: [409], problemExamples: idempotencyProblems),
        ]
        + [
            ("unschedule", "Turn a scheduled campaign into a draft"), ("start", "Start sending now"),
            ("pause", "Pause sending"), ("resume", "Resume sending"),
            ("cancel", "Cancel sending for good"),
        ].map { name, summary in
            Operation(
                method: .post, path: "/v1/apps/{app}/campaigns/{campaign}/\(name)", id: "\(name)Campaign",
                summary: summary, tag: "Campaigns", access: .secret(.campaignsSend),
                parameters: name == "start" ? ["ifMatchOptional"] : [], answer: "Campaign", isVersioned: true,
                problems: name == "start" ? [409, 412, 422] : [409, 412])
        }

    private static let runs = [
        Operation(
            method: .get, path: "/v1/apps/{app}/campaigns/{campaign}/runs", id: "listRuns",
            summary: "A campaign's runs with their ledgers, newest first", tag: "Runs",
            access: .secret(.campaignsRead), parameters: paging, answer: "RunList"),
        Operation(
            method: .get, path: "/v1/apps/{app}/runs/{run}", id: "getRun", summary: "A run, its ledger and the reasons",
            tag: "Runs", access: .secret(.campaignsRead), answer: "Run"),
        Operation(
            method: .patch, path: "/v1/apps/{app}/runs/{run}", id: "updateRun", summary: "Change a run's rate limit",
            tag: "Runs", access: .secret(.campaignsSend), body: "RunChange", answer: "RunTotals", problems: [409]),
        Operation(
            method: .post, path: "/v1/apps/{app}/runs/{run}/pause", id: "pauseRun", summary: "Pause a run",
            tag: "Runs", access: .secret(.campaignsSend), answer: "RunTotals", problems: [409]),
        Operation(
            method: .post, path: "/v1/apps/{app}/runs/{run}/resume", id: "resumeRun",
            summary: "Resume a run, or answer its question with yes", tag: "Runs", access: .secret(.campaignsSend),
            answer: "RunTotals", problems: [409]),
        Operation(
            method: .post, path: "/v1/apps/{app}/runs/{run}/cancel", id: "cancelRun",
            summary: "Cancel a run, or answer its question with no", tag: "Runs", access: .secret(.campaignsSend),
            answer: "RunTotals", problems: [409]),
        Operation(
            method: .get, path: "/v1/apps/{app}/runs/{run}/deliveries", id: "listDeliveries",
            summary: "Recipients in the ledger; a page with fewer entries need not be the last", tag: "Runs",
            access: .secret(.campaignsRead), parameters: ["kind", "reason"] + paging, answer: "DeliveryList"),
        Operation(
            method: .get, path: "/v1/apps/{app}/runs/{run}/progress", id: "followRun",
            summary: "Follow the ledger: server-sent events \"progress\", then one \"end\"", tag: "Runs",
            access: .secret(.campaignsRead), answer: "Events", contentTypes: ["text/event-stream"]),
    ]
}
