package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * Tests, over real TLS connections, which certificate of a Secret a client sees. It trusts only the certificate
 * authority.
 */
class CertificateRotationTest {
    private static final HeldCertificate AUTHORITY = new HeldCertificate.Builder()
            .commonName("authority")
            .certificateAuthority(0)
            .build();
    private static final HeldCertificate FIRST = server().build();
    private static final HeldCertificate SECOND = server().build();
    private static final SSLContext CLIENT = new HandshakeCertificates.Builder()
            .addTrustedCertificate(AUTHORITY.certificate())
            .build()
            .sslContext();

    private final Logger logger = (Logger) LoggerFactory.getLogger(ReloadedCertificate.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private volatile Instant now =
            FIRST.certificate().getNotBefore().toInstant().plus(Duration.ofMinutes(1));

    @TempDir
    private Path path = Path.of("");

    private static HeldCertificate.Builder server() {
        return new HeldCertificate.Builder()
                .commonName("server")
                .addSubjectAlternativeName("127.0.0.1")
                .signedBy(AUTHORITY);
    }

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setAdditive(true);
    }

    private SecretFolder secret(HeldCertificate certificate) {
        SecretFolder secret = new SecretFolder(path);
        secret.write(certificate, AUTHORITY);
        return secret;
    }

    private HttpEndpoint start() throws IOException {
        ReaderAccess access = new ReaderAccess((_, _) -> new ReaderAccess.Review.Allowed(), () -> now);
        return HttpEndpoint.start(
                HttpEndpoint.Purpose.METRICS,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Map.of("/metrics", () -> HttpReply.metrics("up 1\n")),
                Optional.of(HttpsSettings.withCertificateIn(path, () -> now, access)),
                (_, death) -> {
                    throw new AssertionError(death);
                });
    }

    /** {@return the certificate that a new connection gets, over which metrics are read} */
    private static Certificate seen(HttpEndpoint endpoint, String... protocols) throws IOException {
        try (HttpsConnection connection = HttpsConnection.open(CLIENT, endpoint.port(), protocols)) {
            assertThat(connection.metrics()).startsWith("HTTP/1.1 200 ");
            return connection.chain().getFirst();
        }
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private List<String> logged() {
        return log.list.stream()
                .map(it -> it.getLevel() + " " + it.getFormattedMessage() + " "
                        + Optional.ofNullable(it.getKeyValuePairs()).orElse(List.of()))
                .toList();
    }

    @Test
    void aNewCertificateIsServedToNewConnectionsTenSecondsLaterAtMost() throws Exception {
        SecretFolder secret = secret(FIRST);
        try (HttpEndpoint endpoint = start()) {
            assertThat(seen(endpoint)).isEqualTo(FIRST.certificate());

            secret.write(SECOND, AUTHORITY);
            pass(Duration.ofSeconds(9));
            assertThat(seen(endpoint)).isEqualTo(FIRST.certificate());

            pass(Duration.ofSeconds(1));
            // Also to a client that could resume its session.
            assertThat(seen(endpoint)).isEqualTo(SECOND.certificate());
            assertThat(seen(endpoint, "TLSv1.2")).isEqualTo(SECOND.certificate());
            assertThat(logged()).containsExactly(inUse(FIRST), inUse(SECOND));
        }
    }

    private String inUse(HeldCertificate certificate) {
        return "INFO Metrics are served with the certificate in " + path + ", valid until "
                + certificate.certificate().getNotAfter().toInstant() + " []";
    }

    @Test
    void aConnectionGoesOnWhenTheCertificateIsReplaced() throws Exception {
        SecretFolder secret = secret(FIRST);
        try (HttpEndpoint endpoint = start();
                HttpsConnection connection = HttpsConnection.open(CLIENT, endpoint.port())) {
            connection.metrics();

            secret.write(SECOND, AUTHORITY);
            pass(Duration.ofSeconds(10));

            assertThat(seen(endpoint)).isEqualTo(SECOND.certificate());
            assertThat(connection.metrics()).startsWith("HTTP/1.1 200 ");
            assertThat(connection.chain()).containsExactly(FIRST.certificate(), AUTHORITY.certificate());
        }
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                argumentSet(
                        "the key of another certificate",
                        (Consumer<SecretFolder>)
                                secret -> secret.write(SECOND.certificatePem(), FIRST.privateKeyPkcs8Pem()),
                        "tls.key does not belong to the first certificate in tls.crt; take both files from the same"
                                + " Secret"),
                argumentSet(
                        "an empty certificate",
                        (Consumer<SecretFolder>) secret -> secret.write("", SECOND.privateKeyPkcs8Pem()),
                        "tls.crt is empty; the folder must have the files of a Secret of type kubernetes.io/tls"),
                argumentSet(
                        "a file that is gone",
                        (Consumer<SecretFolder>) secret -> secret.delete("tls.key"),
                        "tls.key does not exist; the folder must have the files of a Secret of type"
                                + " kubernetes.io/tls"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void whileTheNewFilesAreBrokenTheOldCertificateStaysInUse(Consumer<SecretFolder> breakIt, String reason)
            throws Exception {
        SecretFolder secret = secret(FIRST);
        try (HttpEndpoint endpoint = start()) {
            breakIt.accept(secret);
            for (int check = 0; check < 3; check++) {
                pass(Duration.ofSeconds(10));
                assertThat(seen(endpoint)).isEqualTo(FIRST.certificate());
            }
            assertThat(logged())
                    .containsExactly(
                            inUse(FIRST),
                            "WARN Failed to read the new certificate for metrics; the one valid until "
                                    + FIRST.certificate().getNotAfter().toInstant() + " stays in use [reason=\"" + path
                                    + "/"
                                    + reason + "\"]");

            secret.write(SECOND, AUTHORITY);
            pass(Duration.ofSeconds(10));
            assertThat(seen(endpoint)).isEqualTo(SECOND.certificate());
            assertThat(logged()).hasSize(3).last().isEqualTo(inUse(SECOND));
        }
    }

    @Test
    void brokenFilesRefuseTheStart() {
        SecretFolder secret = secret(FIRST);
        secret.write(FIRST.certificatePem(), SECOND.privateKeyPkcs8Pem());

        assertThatThrownBy(this::start)
                .isInstanceOf(IOException.class)
                .hasMessage(path + "/tls.key does not belong to the first certificate in tls.crt; take both files from"
                        + " the same Secret");
        assertThat(logged()).isEmpty();
    }

    @Test
    void filesThatAreReplacedInPlaceAreReadToo() throws Exception {
        Files.writeString(path.resolve("tls.crt"), FIRST.certificatePem());
        Files.writeString(path.resolve("tls.key"), FIRST.privateKeyPkcs8Pem());
        try (HttpEndpoint endpoint = start()) {
            Files.delete(path.resolve("tls.crt"));
            Files.delete(path.resolve("tls.key"));
            secret(SECOND);
            pass(Duration.ofSeconds(10));

            assertThat(seen(endpoint)).isEqualTo(SECOND.certificate());
        }
    }

    @Test
    void theSameFilesWrittenAgainAreNoNewCertificate() throws Exception {
        SecretFolder secret = secret(FIRST);
        ReloadedCertificate certificate = new ReloadedCertificate(path, () -> now);
        SSLContext before = certificate.context();

        secret.write(FIRST, AUTHORITY);
        pass(Duration.ofSeconds(10));

        assertThat(certificate.context()).isSameAs(before);
        assertThat(logged()).containsExactly(inUse(FIRST));
    }

    @Test
    void anExpiredCertificateIsServedWithAWarning() throws Exception {
        HeldCertificate expired =
                server().validityInterval(0, Duration.ofDays(30).toMillis()).build();
        SecretFolder secret = secret(expired);
        try (HttpEndpoint endpoint = start()) {
            assertThatThrownBy(() -> seen(endpoint)).hasRootCauseInstanceOf(CertificateExpiredException.class);

            pass(Duration.ofSeconds(10));
            assertThatThrownBy(() -> seen(endpoint)).hasCauseInstanceOf(SSLHandshakeException.class);
            assertThat(logged())
                    .containsExactly(
                            inUse(expired),
                            "WARN Clients refuse the certificate for metrics; renew it, and the operator reads"
                                    + " the new files by itself"
                                    + " [reason=\"" + path + "/tls.crt expired at 1970-01-31T00:00:00Z\"]");

            secret.write(FIRST, AUTHORITY);
            pass(Duration.ofSeconds(10));
            assertThat(seen(endpoint)).isEqualTo(FIRST.certificate());
        }
    }

    @Test
    void aCertificateThatExpiresInUseIsServedWithOneWarning() throws Exception {
        secret(FIRST);
        Instant end = FIRST.certificate().getNotAfter().toInstant();
        ReloadedCertificate certificate = new ReloadedCertificate(path, () -> now);
        SSLContext before = certificate.context();

        for (int check = 1; check <= 3; check++) {
            now = end.plusSeconds(check * 10L);
            assertThat(certificate.context()).isSameAs(before);
        }

        assertThat(logged())
                .containsExactly(
                        inUse(FIRST),
                        "WARN Clients refuse the certificate for metrics; renew it, and the operator reads the new"
                                + " files by itself [reason=\""
                                + path + "/tls.crt expired at " + end + "\"]");
    }
}
