import Crypto
import Testing

@Suite struct ScryptTests {
    struct Vector: Sendable {
        let password: String
        let salt: String
        let n: Int
        let r: Int
        let p: Int
        let derived: String
    }

    /// RFC 7914 §12, without the one that takes a gigabyte.
    @Test(arguments: [
        Vector(
            password: "", salt: "", n: 16, r: 1, p: 1,
            derived: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"),
        Vector(
            password: "password", salt: "NaCl", n: 1_024, r: 8, p: 16,
            derived: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"),
        Vector(
            password: "pleaseletmein", salt: "SodiumChloride", n: 16_384, r: 8, p: 1,
            derived: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"),
    ])
    func publishedVectors(_ vector: Vector) throws {
        let derived = try Scrypt.derive(
            password: Array(vector.password.utf8), salt: Array(vector.salt.utf8),
            n: vector.n, r: vector.r, p: vector.p, length: 64)
        #expect(Hex.encode(derived) == vector.derived)
    }

    @Test(arguments: [
        (0, 8, 1, 32), (1, 8, 1, 32), (3, 8, 1, 32), (-2, 8, 1, 32), (1 << 40, 8, 1, 32),
        (2, 0, 1, 32), (2, 65, 1, 32), (2, 1, 0, 32), (2, 1, 65, 32),
        (1 << 16, 1, 1, 32), (2, 1, 1, 0), (2, 1, 1, 1_025), (1 << 18, 8, 1, 32),
    ])
    func numbersOutOfRangeAreRefused(_ n: Int, _ r: Int, _ p: Int, _ length: Int) {
        #expect {
            try Scrypt.derive(password: [1], salt: [2], n: n, r: r, p: p, length: length)
        } throws: { error in
            guard case .outOfRange = error as? CryptoError else { return false }
            return true
        }
    }

    @Test(arguments: [(2, 64, 1, 1), (2, 1, 64, 1_024), (1 << 15, 1, 1, 16), (1 << 17, 8, 1, 32)])
    func numbersAtTheirLimitsAreAccepted(_ n: Int, _ r: Int, _ p: Int, _ length: Int) throws {
        #expect(try Scrypt.derive(password: [1], salt: [2], n: n, r: r, p: p, length: length).count == length)
    }
}
