package dev.holdfast.operator.serve;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.holdfast.operator.decode.ForeignBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.List;
import java.util.stream.Stream;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzz test of the file with the private key of the metrics endpoint. */
class KeyFileFuzzTest {
    private static final List<HeldCertificate> KEYS = List.of(
            new HeldCertificate.Builder().ecdsa256().build(),
            new HeldCertificate.Builder().rsa2048().build());

    private static final Path FILE = file();

    private static Path file() {
        try {
            Path file = Files.createTempFile("tls", ".key");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @MethodSource("files")
    @FuzzTest
    void aKeyFileIsReadTheSameTwice(byte[] input) {
        for (HeldCertificate key : KEYS) {
            PublicKey publicKey = key.keyPair().getPublic();
            ForeignBytes.isReadAlike(
                    CertificateFileException.class,
                    input,
                    bytes -> read(bytes, publicKey),
                    bytes -> read(bytes, publicKey));
        }
    }

    private static Object read(byte[] bytes, PublicKey publicKey) throws IOException, CertificateFileException {
        Files.write(FILE, bytes);
        return PrivateKeyFile.read(FILE, publicKey);
    }

    static Stream<byte[]> files() {
        return Stream.of(
                        KEYS.get(0).privateKeyPkcs8Pem(),
                        KEYS.get(1).privateKeyPkcs8Pem(),
                        KEYS.get(1).privateKeyPkcs1Pem(),
                        SecretFolder.pem("EC PRIVATE KEY", new byte[] {0x30, 0x03, 0x02, 0x01, 0x01}),
                        "-----BEGIN PRIVATE KEY-----\n*\n-----END PRIVATE KEY-----\n")
                .map(pem -> pem.getBytes(StandardCharsets.ISO_8859_1));
    }
}
