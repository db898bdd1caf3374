package dev.holdfast.operator.serve;

import static dev.holdfast.operator.serve.SecretFolder.chain;
import static dev.holdfast.operator.serve.SecretFolder.pem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ServedCertificateTest {
    private static final HeldCertificate ROOT = new HeldCertificate.Builder()
            .commonName("root")
            .certificateAuthority(1)
            .build();
    private static final HeldCertificate ISSUER = new HeldCertificate.Builder()
            .commonName("issuer")
            .certificateAuthority(0)
            .signedBy(ROOT)
            .build();
    private static final HeldCertificate EC = server().ecdsa256().build();
    private static final HeldCertificate RSA = server().rsa2048().build();
    private static final String OF_A_SECRET = "; the folder must have the files of a Secret of type kubernetes.io/tls";
    private static final String THE_SAME_SECRET = "; take both files from the same Secret";

    @TempDir
    private Path folder = Path.of("");

    private static HeldCertificate.Builder server() {
        return new HeldCertificate.Builder()
                .commonName("server")
                .addSubjectAlternativeName("127.0.0.1")
                .signedBy(ISSUER);
    }

    static Stream<Arguments> served() throws NoSuchAlgorithmException {
        HeldCertificate ed25519 = server().keyPair(keys("Ed25519")).build();
        String certificates = chain(EC, ISSUER);
        String key = EC.privateKeyPkcs8Pem();
        return Stream.of(
                argumentSet("an EC key as PKCS#8", EC, certificates, key),
                argumentSet("an EC key as SEC1, as cert-manager writes it", EC, certificates, sec1()),
                argumentSet(
                        "an EC key as SEC1 behind its curve, as openssl writes it",
                        EC,
                        certificates,
                        pem("EC PARAMETERS", HexFormat.of().parseHex("06082a8648ce3d030107")) + sec1()),
                argumentSet("an RSA key as PKCS#8", RSA, chain(RSA, ISSUER), RSA.privateKeyPkcs8Pem()),
                argumentSet("an RSA key as PKCS#1", RSA, chain(RSA, ISSUER), RSA.privateKeyPkcs1Pem()),
                argumentSet("an Ed25519 key", ed25519, chain(ed25519, ISSUER), ed25519.privateKeyPkcs8Pem()),
                argumentSet("a chain up to the root", EC, chain(EC, ISSUER, ROOT), key),
                argumentSet("lines with CR LF", EC, certificates.replace("\n", "\r\n"), key.replace("\n", "\r\n")),
                argumentSet("text around the blocks", EC, "subject: é\n" + certificates + "end\n", "\n\n" + key));
    }

    @ParameterizedTest
    @MethodSource("served")
    void aClientVerifiesIt(HeldCertificate server, String certificates, String key) throws Exception {
        new SecretFolder(folder).write(certificates, key);
        ServedCertificate read = ServedCertificate.read(folder);

        assertThat(read.chain().subList(0, 2)).containsExactly(server.certificate(), ISSUER.certificate());
        assertThatAClientVerifies(read);
    }

    private void assertThatAClientVerifies(ServedCertificate served) throws IOException {
        ReaderAccess access = new ReaderAccess((_, _) -> new ReaderAccess.Review.Allowed(), () -> Instant.EPOCH);
        HandshakeCertificates client = new HandshakeCertificates.Builder()
                .addTrustedCertificate(ROOT.certificate())
                .build();
        SSLContext context = served.context(folder);
        try (HttpEndpoint endpoint = HttpEndpoint.start(
                        HttpEndpoint.Purpose.METRICS,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Map.of("/metrics", () -> HttpReply.metrics("up 1\n")),
                        Optional.of(new HttpsSettings(() -> context, access)),
                        (_, death) -> {
                            throw new AssertionError(death);
                        });
                HttpsConnection connection = HttpsConnection.open(client.sslContext(), endpoint.port())) {
            assertThat(connection.metrics()).startsWith("HTTP/1.1 200 ");
        }
    }

    static Stream<Arguments> refused() throws NoSuchAlgorithmException {
        HeldCertificate dsa = server().keyPair(keys("DSA")).build();
        KeyPair wider = keys("EC");
        String certificates = chain(EC, ISSUER);
        String key = EC.privateKeyPkcs8Pem();
        byte[] der = EC.keyPair().getPrivate().getEncoded();
        return Stream.of(
                argumentSet("an empty certificate", "", key, "tls.crt is empty" + OF_A_SECRET),
                argumentSet("an empty key", certificates, "\n", "tls.key is empty" + OF_A_SECRET),
                argumentSet(
                        "no PEM",
                        "0\u0082\u0001",
                        key,
                        "tls.crt has no PEM block; write it as PEM, not as DER or PKCS#12"),
                argumentSet(
                        "a chain that is cut off",
                        certificates.substring(0, certificates.length() - 30),
                        key,
                        "tls.crt has a PEM block without an end; write the whole block"),
                argumentSet(
                        "the two files exchanged",
                        key,
                        certificates,
                        "tls.crt has no certificate; write the certificate of tls.key into it"),
                argumentSet(
                        "bytes that are no certificate",
                        pem("CERTIFICATE", new byte[] {48, 1, 0}),
                        key,
                        "tls.crt has an invalid certificate: "),
                argumentSet(
                        "a chain in the wrong order",
                        chain(ISSUER, EC),
                        key,
                        "tls.crt is not one chain: certificate 2 is not of the issuer of certificate 1; write the"
                                + " server's certificate first, and behind each certificate the one of its issuer"),
                argumentSet(
                        "a certificate twice",
                        chain(ROOT, ROOT),
                        ROOT.privateKeyPkcs8Pem(),
                        "tls.crt cannot be served: Certificate chain is not valid; renew the certificate"),
                argumentSet(
                        "a certificate for the key file",
                        certificates,
                        certificates,
                        "tls.key has no private key" + THE_SAME_SECRET),
                argumentSet(
                        "the key of another certificate",
                        certificates,
                        ISSUER.privateKeyPkcs8Pem(),
                        "tls.key does not belong to the first certificate in tls.crt" + THE_SAME_SECRET),
                argumentSet(
                        "a key on another curve",
                        certificates,
                        pem("PRIVATE KEY", wider.getPrivate().getEncoded()),
                        "tls.key does not belong to the first certificate in tls.crt" + THE_SAME_SECRET),
                argumentSet(
                        "an RSA key as PKCS#8 for an EC certificate",
                        certificates,
                        RSA.privateKeyPkcs8Pem(),
                        "tls.key has no valid key of the kind that the first certificate in tls.crt has: EC"
                                + THE_SAME_SECRET),
                argumentSet(
                        "an RSA key as PKCS#1 for an EC certificate",
                        certificates,
                        RSA.privateKeyPkcs1Pem(),
                        "tls.key has no valid key of the kind that the first certificate in tls.crt has: EC"
                                + THE_SAME_SECRET),
                argumentSet(
                        "an EC key for an RSA certificate",
                        chain(RSA, ISSUER),
                        sec1(),
                        "tls.key has no valid key of the kind that the first certificate in tls.crt has: RSA"
                                + THE_SAME_SECRET),
                argumentSet(
                        "a key of zero bytes",
                        certificates,
                        "-----BEGIN EC PRIVATE KEY-----\n-----END EC PRIVATE KEY-----\n",
                        "tls.key has no valid key of the kind that the first certificate in tls.crt has: EC"
                                + THE_SAME_SECRET),
                argumentSet(
                        "a key that is not base64",
                        certificates,
                        "-----BEGIN PRIVATE KEY-----\n*\n-----END PRIVATE KEY-----\n",
                        "tls.key is not base64 between its first and last line" + THE_SAME_SECRET),
                argumentSet(
                        "an encoding that the operator does not read",
                        certificates,
                        pem("OPENSSH PRIVATE KEY", der),
                        "tls.key has the encoding OPENSSH PRIVATE KEY; write it as PKCS#8 (cert-manager:"
                                + " privateKey.encoding: PKCS8)"),
                argumentSet(
                        "an encrypted PKCS#8 key",
                        certificates,
                        pem("ENCRYPTED PRIVATE KEY", der),
                        "tls.key is encrypted; write the key without a passphrase"),
                argumentSet(
                        "an encrypted PKCS#1 key",
                        certificates,
                        """
                        -----BEGIN RSA PRIVATE KEY-----
                        Proc-Type: 4,ENCRYPTED
                        DEK-Info: AES-256-CBC,00

                        AAAA
                        -----END RSA PRIVATE KEY-----
                        """,
                        "tls.key is encrypted; write the key without a passphrase"),
                argumentSet(
                        "a certificate that TLS does not serve",
                        chain(dsa, ISSUER),
                        dsa.privateKeyPkcs8Pem(),
                        "tls.key is for a certificate of a kind that TLS does not serve: DSA; renew the certificate"
                                + " with an RSA, EC or Ed25519 key"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void aRefusalNamesTheFileTheCauseAndWhatToDo(String certificates, String key, String message) throws Exception {
        Files.write(folder.resolve("tls.crt"), certificates.getBytes(StandardCharsets.ISO_8859_1));
        Files.writeString(folder.resolve("tls.key"), key);

        assertThatThrownBy(() -> ServedCertificate.read(folder).context(folder))
                .isInstanceOf(CertificateFileException.class)
                .message()
                .startsWith(folder + "/" + message)
                .contains("; ")
                .doesNotContain("\n");
    }

    @Test
    void aMissingFileIsNamed() throws Exception {
        assertThatThrownBy(() -> ServedCertificate.read(folder))
                .hasMessage(folder + "/tls.crt does not exist" + OF_A_SECRET);

        Files.writeString(folder.resolve("tls.crt"), EC.certificatePem());

        assertThatThrownBy(() -> ServedCertificate.read(folder))
                .hasMessage(folder + "/tls.key does not exist" + OF_A_SECRET);
    }

    @Test
    void aFolderIsNoFile() throws Exception {
        Files.createDirectory(folder.resolve("tls.crt"));

        assertThatThrownBy(() -> ServedCertificate.read(folder))
                .hasMessage(folder + "/tls.crt cannot be read: Is a directory" + OF_A_SECRET);
    }

    @Test
    void itSaysWhyClientsRefuseItOutsideOfItsValidity() {
        ServedCertificate served = new ServedCertificate(
                List.of(server().validityInterval(
                                0, Instant.parse("1970-02-01T00:00:00Z").toEpochMilli())
                        .build()
                        .certificate()),
                EC.keyPair().getPrivate());

        assertThat(served.outsideValidity(Instant.parse("1969-12-31T23:59:59Z")))
                .contains("is not valid before 1970-01-01T00:00:00Z");
        assertThat(served.outsideValidity(Instant.EPOCH)).isEmpty();
        assertThat(served.outsideValidity(Instant.parse("1970-02-01T00:00:00Z")))
                .isEmpty();
        assertThat(served.outsideValidity(Instant.parse("1970-02-01T00:00:01Z")))
                .contains("expired at 1970-02-01T00:00:00Z");
    }

    private static KeyPair keys(String algorithm) throws NoSuchAlgorithmException {
        return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    }

    /** {@return the key of the EC certificate as SEC1 (RFC 5915), with its curve and its public key} */
    private static String sec1() {
        ECPrivateKey key = (ECPrivateKey) EC.keyPair().getPrivate();
        ECPublicKey publicKey = (ECPublicKey) EC.keyPair().getPublic();
        String hex = String.format(
                Locale.ROOT,
                "30770201010420%064xa00a06082a8648ce3d030107a14403420004%064x%064x",
                key.getS(),
                publicKey.getW().getAffineX(),
                publicKey.getW().getAffineY());
        return pem("EC PRIVATE KEY", HexFormat.of().parseHex(hex));
    }
}
