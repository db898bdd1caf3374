package dev.holdfast.operator.serve;

import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/**
 * A certificate that this process makes and signs itself, so users need not provide one. The certificate encrypts what
 * is read, tokens included, but does not prove to clients who the server is.
 */
final class OwnCertificate {
    private static final int DAYS = 3_650;

    private OwnCertificate() {}

    /** {@return a new TLS context with a new certificate} */
    static SSLContext context() {
        HeldCertificate certificate = new HeldCertificate.Builder()
                .commonName("holdfast")
                .addSubjectAlternativeName("holdfast")
                .duration(DAYS, TimeUnit.DAYS)
                .build();
        return new HandshakeCertificates.Builder()
                .heldCertificate(certificate)
                .build()
                .sslContext();
    }
}
