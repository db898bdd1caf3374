package dev.holdfast.operator.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * How a server serves HTTPS.
 *
 * @param certificate supplies the TLS context of each new connection, with the server's certificate
 * @param access decides who may read
 */
public record HttpsSettings(Supplier<SSLContext> certificate, ReaderAccess access) {
    /** {@return settings with a new certificate that this process makes, and that clients cannot verify} */
    public static HttpsSettings withOwnCertificate(ReaderAccess access) {
        SSLContext own = OwnCertificate.context();
        return new HttpsSettings(() -> own, access);
    }

    /**
     * {@return settings with the certificate in a folder, which is read again after its files change}
     *
     * @param folder has the files {@code tls.crt} and {@code tls.key} of a Secret of type {@code kubernetes.io/tls}
     * @throws IOException if the files cannot be used; the message names the file, the cause and what to do
     */
    public static HttpsSettings withCertificateIn(Path folder, InstantSource clock, ReaderAccess access)
            throws IOException {
        return new HttpsSettings(new ReloadedCertificate(folder, clock)::context, access);
    }
}
