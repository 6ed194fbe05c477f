import JSON
import Notifications

/// Converts a CSV record to the equivalent JSON object, so that `RegistrationBody` is the only place with the rules.
/// Empty fields are omitted.
struct DeviceRecordReader {
    let header: DeviceHeader

    func line(_ record: CSVParser.Record) -> DeviceLineWriter.Line {
        let columns = header.columns
        let surplus = record.fields.dropFirst(columns.count)
        guard record.fields.count >= columns.count, surplus.allSatisfy(\.isEmpty) else {
            let counts: Message =
                "has \(record.fields.count) fields, but the header has \(columns.count); a separator inside a value needs "
                + "quotes around the value"
            return .refused(Problems([Problem(path: "", code: "wrong-field-count", message: counts)]))
        }
        var line = DeviceLineWriter(isOfVendor: header.vendor != nil)
        for (column, field) in zip(columns, record.fields) where !field.isEmpty {
            switch column.meaning {
            case .column(let meaning): line.add(meaning, field)
            case .unnamed:
                line.problems.append(
                    Problem(path: "", code: "unnamed-column", message: "has a value in a column without a name"))
            case .leftOut, .unknown: break
            }
        }
        return line.finish()
    }
}
