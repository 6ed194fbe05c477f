import Campaigns
import HTTPTypes
import JSON
import Store

extension Operation {
    private static let paging = ["limit", "cursor"]
    private static let filters = ["userID", "tag", "deviceKind", "test"]
    private static let deviceAddress = ["deviceKind", "activity"]

    static let devices = [
        Operation(
            method: .put, path: "/v1/apps/{app}/devices/{installation}", id: "registerDevice",
            summary: "Register a device's token; 200 means stored", tag: "Devices",
            access: .publishable(or: .devicesWrite), body: "DeviceRegistration", answer: "DeviceStored",
            problems: [409]),
        Operation(
            method: .patch, path: "/v1/apps/{app}/devices/{installation}", id: "updateDevice",
            summary: "Change a device; null clears a member", tag: "Devices",
            access: .publishable(or: .devicesWrite), body: "DeviceChange", answer: "DeviceStored", problems: [409]),
        Operation(
            method: .delete, path: "/v1/apps/{app}/devices/{installation}", id: "removeDevice",
            summary: "Retire a device", tag: "Devices", access: .publishable(or: .devicesWrite),
            parameters: deviceAddress, status: 204),
        Operation(
            method: .get, path: "/v1/apps/{app}/devices/{installation}", id: "getDevice", summary: "A device",
            tag: "Devices", access: .secret(.devicesRead), parameters: deviceAddress, answer: "Device"),
        Operation(
            method: .get, path: "/v1/apps/{app}/devices", id: "listDevices",
            summary: "Devices; a page with fewer entries need not be the last", tag: "Devices",
            access: .secret(.devicesRead), parameters: filters + paging, answer: "DeviceList"),
        Operation(
            method: .post, path: "/v1/apps/{app}/devices", id: "registerDevices",
            summary: "Register up to 1,000 devices, each of which is stored or refused independently",
            tag: "Devices", access: .secret(.devicesWrite), body: "DeviceRegistrations", answer: "DeviceResults"),
        Operation(
            method: .post, path: "/v1/apps/{app}/acknowledgements", id: "acknowledge",
            summary: "Acknowledge pushes that the device received", tag: "Devices",
            access: .publishable(or: .devicesWrite), body: "Acknowledgements", answer: "AcknowledgementResult"),
    ]

    static let files = [
        Operation(
            method: .post, path: "/v1/apps/{app}/devices/import", id: "importDevices",
            summary: "Import a device file of any length, as CSV or NDJSON; the number of accepted bytes shows the "
                + "progress",
            tag: "Devices", access: .secret(.devicesWrite), body: "DeviceFile",
            bodyTypes: DeviceFileFormat.allCases.map(\.contentType), answer: "ImportReport"),
        Operation(
            method: .get, path: "/v1/apps/{app}/devices/export", id: "exportDevices",
            summary: "All live devices as a file that can be imported", tag: "Devices",
            access: .secret(.devicesRead), parameters: ["fileFormat", "tokens"] + filters, answer: "DeviceFile",
            contentTypes: DeviceFileFormat.allCases.map(\.contentType)),
    ]

    static let people = [
        Operation(
            method: .delete, path: "/v1/apps/{app}/people/{user_id}", id: "erasePerson",
            summary: "Erase a person: all their devices and acknowledgements; ledgers keep their totals",
            tag: "People", access: .secret(.devicesWrite), answer: "Erasure")
    ]

    static let topics = [
        Operation(
            method: .post, path: "/v1/apps/{app}/topics", id: "createTopic",
            summary: "Add a topic that recipients can opt out of", tag: "Topics", access: .secret(.appsWrite),
            body: "TopicNew", status: 201, answer: "Topic", problems: [409]),
        Operation(
            method: .get, path: "/v1/apps/{app}/topics", id: "listTopics",
            summary: "Topics, sorted by key; apps can read them to show a switch for each", tag: "Topics",
            access: .publishable(or: .appsRead), parameters: paging, answer: "TopicList"),
        Operation(
            method: .get, path: "/v1/apps/{app}/topics/{topic}", id: "getTopic", summary: "A topic", tag: "Topics",
            access: .publishable(or: .appsRead), answer: "Topic"),
        Operation(
            method: .patch, path: "/v1/apps/{app}/topics/{topic}", id: "updateTopic",
            summary: "Change the name or description of a topic", tag: "Topics", access: .secret(.appsWrite),
            body: "TopicChange", answer: "Topic"),
        Operation(
            method: .delete, path: "/v1/apps/{app}/topics/{topic}", id: "deleteTopic",
            summary: "Delete a topic that no campaign uses", tag: "Topics", access: .secret(.appsWrite),
            status: 204, problems: [409]),
    ]
}
