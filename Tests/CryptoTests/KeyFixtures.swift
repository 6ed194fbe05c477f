import Testing

/// A file by its name, so that test logs do not print its contents.
struct KeyFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let pem: String

    init(_ name: String, _ pem: String) {
        testDescription = name
        self.pem = pem
    }
}

/// Valid keys and keys of every other type, made with the openssl command for these tests and used nowhere else.
enum KeyFixtures {
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzUqxNo0WOcbB7TzY
        17rhmvAX3W2p29Cx5MXUCpYeMeuhRANCAAQdXuHVmH11U1an4tRFCqlCJ6/tZ0MH
        V/DdXWkaXGRKqjyFPLoIN9SxAxuDBynAcepAqbuXUbDlnKUDp3yFfcdh
        -----END PRIVATE KEY-----
        """
    static let publicP256 = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHV7h1Zh9dVNWp+LURQqpQiev7WdD
        B1fw3V1pGlxkSqo8hTy6CDfUsQMbgwcpwHHqQKm7l1Gw5ZylA6d8hX3HYQ==
        -----END PUBLIC KEY-----
        """
    static let sec1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIM1KsTaNFjnGwe082Ne64ZrwF91tqdvQseTF1AqWHjHroAoGCCqGSM49
        AwEHoUQDQgAEHV7h1Zh9dVNWp+LURQqpQiev7WdDB1fw3V1pGlxkSqo8hTy6CDfU
        sQMbgwcpwHHqQKm7l1Gw5ZylA6d8hX3HYQ==
        -----END EC PRIVATE KEY-----
        """
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiMrouq77a7ygICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEOBSguD+C5Mkzafj5RBmu5MEgZAg
        svb+1Z2+HEIJuR2oRTBrlQBbg+uZ8n9CqN4h/neXG3ZZ24Is5k6j3WBRHrs/NEtG
        1mOz1RgDWCoUwX/PNVa4SrtE4t78EES9DSggvkbpyqqsrPEAGOFxBZ5ROqpjCPHw
        hDWY14aQUpNUtj6lmjeBO/E42R63EM+G3Vv654D5fcRUIYgR9swPw/GIQSrbcOk=
        -----END ENCRYPTED PRIVATE KEY-----
        """
    static let encryptedSEC1 = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,A914A5DC22C9AA26F6797146F0D20CEC

        XTd3J38xLr+C9kTEY/PRWCgi/QahERTwxkV0WBqbRl/fmPoNV0YMdscLO9UpnJjd
        eoUxg+puQLVN1d6NbNZM9dD1vzUG7MI2ykbEum3hVXrBEfxAgiTmy1dP++B8ohBR
        k3lw/9i567PuuqwI2ZZbuFLJIdWfmaSswZbTr6spthA=
        -----END EC PRIVATE KEY-----
        """
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAOfNXqJrjdkrXB0m
        k/18fNTPvmlzu6sJWHAJ8fWd5Fr23PHDdS2MzyPB9TNpLf5tN0C5d8rfghrc5/EE
        HBwcbWAdSvFKXPCO2I20nUHYMXlhNwS+C+8XC8uAzMUhApdg35PIUhhd4/Jv5Mwq
        pyBuiWylZUQVPVnuZvnjVlZIWZC7AgMBAAECgYEAuUqF4ik9WyJ44GhtFcyD8I0b
        dSnpEuBGjFC21BJhboE0viDysvWCwt+RBIaIGH/vEdLvugCN/LEmypbxbVsf5ZYJ
        LyXA0DXIkSBCkw5muKS3cptidBfPPRae1gGSlJBFjVs53fH7xvEorlHAwZzgj7FF
        iO10lwUA+s3Yml66CSECQQD6nyMpKqOU7iykeCIBRaXPyCSigPi5O4CzToPU00QJ
        l4zFLfs/ZQWq/3MSk3vpnCRlYIsUSpqZXstGliy0grjrAkEA7MbXqzjFV7yOkuZv
        pj2rN2ZiuGknXnyD1M8Xw3JvHiK4HNCTGsOCnE8JETNlCu3qKsZaRmBFV6Q3MviQ
        UaWTcQJAVtp/nOyh9CL2ZakcX8R7Sh7aU1bO26K7X2h+V2s/0PMsXckpoTapWDFe
        97kU4Ei0dE2Y5VdVbIFlgPjaVVRYMQJALQ9KS9Np+uBvYZVo+gISa2CYuO+KBnk7
        vWwL4a4NZ3bEAvfOhvFeEdEYsKVPPV05ixpkY7A+ggdGWfTjwiX4gQJAeb/SxejQ
        gA8X8xpdRZT+uYEVycg8HVQp7inILTna+mIjVT+4IyVFmXd1/LyT8//qOUIMj4KS
        pVptoGipxLBsSg==
        -----END PRIVATE KEY-----
        """
    static let publicRSA = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDnzV6ia43ZK1wdJpP9fHzUz75p
        c7urCVhwCfH1neRa9tzxw3UtjM8jwfUzaS3+bTdAuXfK34Ia3OfxBBwcHG1gHUrx
        SlzwjtiNtJ1B2DF5YTcEvgvvFwvLgMzFIQKXYN+TyFIYXePyb+TMKqcgbolspWVE
        FT1Z7mb541ZWSFmQuwIDAQAB
        -----END PUBLIC KEY-----
        """
    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDApdfX4D8ky5TgIlooN
        Y4+RXReI4n5aj+azY7AgiNSP/muRUsgPX8/mnHr90KQ77QWhZANiAASTVHmUjcL6
        6CDoLkcd4DoRq75OIjOKEu1jGSmFm+Ow1Is3BU9m9mkR18vs/NOtuFhRJbz+S7wo
        q4HPh9eimtUPZcqHVGCpFmSFxeFitWwCi8JzsGEZRxaRge378066HnM=
        -----END PRIVATE KEY-----
        """
    static let publicP384 = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEk1R5lI3C+ugg6C5HHeA6Eau+TiIzihLt
        YxkphZvjsNSLNwVPZvZpEdfL7PzTrbhYUSW8/ku8KKuBz4fXoprVD2XKh1RgqRZk
        hcXhYrVsAovCc7BhGUcWkYHt+/NOuh5z
        -----END PUBLIC KEY-----
        """
    static let secp256k1 = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQg+q4Q3WGiQ9MHWHDVHdEP
        5K24aqUEsXcO3S/LBOa+ILihRANCAATPoRatN3a9Owq0Q79/5zdVCWnZm/H+efCl
        V/KskncTVT9v8/Nxov1kmSuSMCofDA7yT5NbdkJMswA407auF6rW
        -----END PRIVATE KEY-----
        """
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIBAe3+VrJbOnYLbdAJVJmDkqr6Xq4NjmUm108Aqlfwhe
        -----END PRIVATE KEY-----
        """
    /// `p256` with a certificate, under a password, in base64.
    static let pkcs12 = """
        MIID/AIBAzCCA7IGCSqGSIb3DQEHAaCCA6MEggOfMIIDmzCCAlIGCSqGSIb3DQEHBqCCAkMwggI/
        AgEAMIICOAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhIk5ybdd/h
        zAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEPQfH0iuoGoH/XbrA8kk/2aAggHQVrNI
        qPxYlrCUJDpAVRlZrY0zAuFHqC/Dsd3IXB0xDmTgj08KwC18umHg/hN4SlwAXNlEQGfiOPl+lpnx
        ZBgCmCvbXz+2C0mU4q+Cu6fqPfTS9bT9IjwtLdHmjW9Lkb2GestmiAwjO/2RlwhUVDePcCzr5hCf
        pRf/cvvIVNCcKwmrr4D4lVBil7j8M5cYe8U1aD3aGT1Lj7zo0FdVZnm+1jBhcSbQenamZPWr6i8n
        0ILfLJGTbKaatJRQrh8j5TnddFcZ633nBxdc8ec0MetwA5Gc/HLyfjN9lKQ5GBJAAS81Zc6P6NvL
        yauQ6JLOJwppNa8msQBSb+FKXgc7p/ClfhP+agipuGftpPdRsmXnCw0S9w8OgfHCpvDdHEuS6Ubj
        9snIzDt6yhMpQuJQujudycSLEmrnOrzw/6TUk3xH4iQ1QY9U9FBpmkT4gPIxQ3fNJUDHnnde7LoZ
        ZCqLzFGZE53rGUL8e7AES3V0AO6WIQCfXXbOX7Ipdlbe2v92WuBAYpWRtonTAd815aK5MW9rHeyL
        SKjBUUd+s1r9DuTXQXwotWr5WoLm8N5gp+ADYlFsf/VCL9NHDHAj09v7cjFeQdkiWJKUM6BR1wJk
        W91zTSEwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBX
        BgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI1MHGdpCCP/4CAggAMAwGCCqGSIb3DQIJBQAw
        HQYJYIZIAWUDBAEqBBC3SjdlleS0WlVH1WMoqiOCBIGQx01We+O1eBGT4ikP+ogxuw4kz8OCxaeK
        9Yp1Dw/5CFXFmhZNQ/J2sJ6YIclO8dTlBHW/qS5YNba3ApGzfJT3vE6fYVxGQ3Vt6Wfj3Y2j3TGp
        EO7IFsKTLOmA+Y5b5l82ysDapyGbfMyk2HEoa7VJR/bHhQssT1IgcVrqZThxb5PTS+gYDsY/7OL/
        yK0GDvVAMSUwIwYJKoZIhvcNAQkVMRYEFAYb+csUDYPom8rwk5YXWdoY+2O3MEEwMTANBglghkgB
        ZQMEAgEFAAQgaVEsn5RL3QKVfQRD+pLnKTAT36BAx2NkRhg5a8TnQZEECN7Am131qR6FAgIIAA==
        """
    static let certificateRequest = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIHKMHECAQAwDzENMAsGA1UEAwwEUHVzaDBZMBMGByqGSM49AgEGCCqGSM49AwEH
        A0IABB1e4dWYfXVTVqfi1EUKqUInr+1nQwdX8N1daRpcZEqqPIU8ugg31LEDG4MH
        KcBx6kCpu5dRsOWcpQOnfIV9x2GgADAKBggqhkjOPQQDAgNJADBGAiEAxY4oLGBq
        msfcJ9BUfU64hT/fulZEyiBN/ZpllykAa0cCIQDQJIJKBc9vRvhnGc1UvRWlg0rJ
        CmxOPlKNXHGC2IntSQ==
        -----END CERTIFICATE REQUEST-----
        """
}
