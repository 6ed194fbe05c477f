import Crypto
import Testing

@Suite struct PasswordHashTests {
    @Test func theRightPasswordIsAcceptedAndOthersAreNot() throws {
        let stored = try PasswordHash.make("correct horse")

        #expect(stored.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
        #expect(try PasswordHash.verify("correct horse", against: stored))
        #expect(try !PasswordHash.verify("correct horsf", against: stored))
        #expect(try !PasswordHash.verify("", against: stored))
    }

    @Test func theSamePasswordIsStoredDifferentlyEachTime() throws {
        #expect(try PasswordHash.make("password") != PasswordHash.make("password"))
    }

    /// RFC 7914 §12, third vector, in the stored form: a hash of another cost and length still counts.
    @Test func hashesOfOtherCostsAreVerified() throws {
        let stored =
            "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU"
            + "$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"
        #expect(try PasswordHash.verify("pleaseletmein", against: stored))
        #expect(try !PasswordHash.verify("pleaseletmeout", against: stored))
    }

    @Test func passwordsBeyondTheLimitAreRefused() throws {
        let longest = String(repeating: "p", count: PasswordHash.maximumPasswordLength)
        let stored = try PasswordHash.make(longest)
        #expect(try PasswordHash.verify(longest, against: stored))
        #expect(try !PasswordHash.verify(longest + "p", against: stored))
        #expect(throws: CryptoError.outOfRange("A password can have at most 1024 bytes.")) {
            try PasswordHash.make(longest + "p")
        }
    }

    @Test(arguments: [
        "", "plain", "$scrypt$", "$argon2id$ln=15,r=8,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=15,r=8$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=25,r=8,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=0,r=8,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=15,r=8,p=1$AAAAAAAAAAAAAAAA$",
        "$scrypt$ln=15,r=8,p=1$$AAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=15,r=8,p=1$AAAA!AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func damagedHashesAreErrorsAndNotWrongPasswords(_ stored: String) {
        #expect {
            try PasswordHash.verify("", against: stored)
        } throws: { error in
            guard case .notAPasswordHash = error as? CryptoError else { return false }
            return true
        }
    }
}
