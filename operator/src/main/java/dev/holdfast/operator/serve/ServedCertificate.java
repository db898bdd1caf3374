package dev.holdfast.operator.serve;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * A certificate with which a server proves who it is.
 *
 * @param chain the server's certificate and then the one of each issuer, as far as they are given; never empty
 * @param key the private key of the first certificate
 */
record ServedCertificate(List<X509Certificate> chain, PrivateKey key) {
    /** The names of the files in a Secret of type {@code kubernetes.io/tls}. */
    static final String CHAIN_FILE = "tls.crt";

    static final String KEY_FILE = "tls.key";

    ServedCertificate {
        chain = List.copyOf(chain);
    }

    /**
     * {@return the certificate in a folder} The certificate may have expired.
     *
     * @throws CertificateFileException if a file cannot be used, or the files do not belong together
     */
    static ServedCertificate read(Path folder) throws CertificateFileException {
        List<X509Certificate> chain = chain(folder.resolve(CHAIN_FILE));
        PrivateKey key =
                PrivateKeyFile.read(folder.resolve(KEY_FILE), chain.getFirst().getPublicKey());
        return new ServedCertificate(chain, key);
    }

    private static List<X509Certificate> chain(Path file) throws CertificateFileException {
        List<X509Certificate> chain = new ArrayList<>();
        for (PemBlock block : PemBlock.read(file)) {
            if (block.label().equals("CERTIFICATE")) {
                chain.add(certificate(file, block));
            }
        }
        if (chain.isEmpty()) {
            throw new CertificateFileException(file, "has no certificate", "write the certificate of tls.key into it");
        }
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1).getIssuerX500Principal().equals(chain.get(i).getSubjectX500Principal())) {
                throw new CertificateFileException(
                        file,
                        "is not one chain: certificate " + (i + 1) + " is not of the issuer of certificate " + i,
                        "write the server's certificate first, and behind each certificate the one of its issuer");
            }
        }
        return chain;
    }

    private static X509Certificate certificate(Path file, PemBlock block) throws CertificateFileException {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.bytes()));
        } catch (CertificateException | IllegalArgumentException e) {
            throw new CertificateFileException(
                    file, "has an invalid certificate: " + e.getMessage(), "renew the certificate");
        }
    }

    /** {@return until when the certificate is valid} */
    Instant validUntil() {
        return chain.getFirst().getNotAfter().toInstant();
    }

    /** {@return why clients refuse the certificate at an instant; empty while it is valid} */
    Optional<String> outsideValidity(Instant now) {
        Instant from = chain.getFirst().getNotBefore().toInstant();
        if (now.isBefore(from)) {
            return Optional.of("is not valid before " + from);
        }
        return now.isAfter(validUntil()) ? Optional.of("expired at " + validUntil()) : Optional.empty();
    }

    /**
     * {@return a new TLS context that serves this certificate} The context shares no sessions with earlier ones, so
     * clients that come back verify the certificate.
     *
     * @param folder where the certificate is from, for the message of the exception
     */
    SSLContext context(Path folder) throws CertificateFileException {
        try {
            char[] password = new char[0];
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, password);
            store.setKeyEntry("server", key, password, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), new TrustManager[0], new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new CertificateFileException(
                    folder.resolve(CHAIN_FILE), "cannot be served: " + e.getMessage(), "renew the certificate");
        }
    }
}
