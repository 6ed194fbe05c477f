import ArgumentParser
import Crypto
import Notifications
import Store

/// Reads Apple's signing key from the file at this path.
func signingKey(_ path: String) throws -> SigningKey {
    let file = try TextFile.bytes(path)
    return try validated("p8") { try SigningKey(p8: file) }
}

/// The argument --key-id, or what the name of Apple's file says.
func keyIdentifier(_ argument: String?, p8 path: String) throws -> KeyID {
    if let argument { return try validated("key-id") { try KeyID(argument) } }
    guard let id = KeyID(fileName: path) else {
        throw ValidationError("--key-id is required: the file is not called AuthKey_….p8, as Apple names it.")
    }
    return id
}
