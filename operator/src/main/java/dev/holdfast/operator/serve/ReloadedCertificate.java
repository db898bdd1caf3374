package dev.holdfast.operator.serve;

import static dev.holdfast.operator.serve.ServedCertificate.CHAIN_FILE;
import static dev.holdfast.operator.serve.ServedCertificate.KEY_FILE;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate in a folder, which is read again after its files change. New connections see a change at most ten
 * seconds late; existing ones go on. While the files cannot be used, the certificate that was read last stays in use.
 *
 * <p>No thread waits for changes: at most every ten seconds, one new connection compares the states of the files.
 */
final class ReloadedCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadedCertificate.class);

    static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    private final Path folder;
    private final InstantSource clock;

    private volatile SSLContext context;
    private volatile Instant nextCheck;

    /** Guards the fields below. A connection that finds the lock taken uses the present context. */
    private final ReentrantLock checking = new ReentrantLock();

    private ServedCertificate certificate;
    private List<Optional<FileState>> lastRead;
    private Optional<String> refusal = Optional.empty();
    private Optional<String> warning = Optional.empty();

    /**
     * Reads a certificate.
     *
     * @param folder has the files {@code tls.crt} and {@code tls.key} of a Secret of type {@code kubernetes.io/tls}
     * @throws CertificateFileException if the files cannot be used
     */
    ReloadedCertificate(Path folder, InstantSource clock) throws CertificateFileException {
        this.folder = folder;
        this.clock = clock;
        Instant now = clock.instant();
        lastRead = states();
        certificate = ServedCertificate.read(folder);
        context = certificate.context(folder);
        nextCheck = now.plus(CHECK_INTERVAL);
        logInUse();
        warnOutsideValidity(now);
    }

    /** {@return the TLS context for a new connection} */
    SSLContext context() {
        Instant now = clock.instant();
        if (!now.isBefore(nextCheck) && checking.tryLock()) {
            try {
                check(now);
            } finally {
                checking.unlock();
            }
        }
        return context;
    }

    private void check(Instant now) {
        nextCheck = now.plus(CHECK_INTERVAL);
        List<Optional<FileState>> states = states();
        // After a refusal, what is wrong may be mended without a trace in the states, such as the right to read a file.
        if (refusal.isPresent() || !states.equals(lastRead)) {
            lastRead = states;
            read();
        }
        warnOutsideValidity(now);
    }

    private void read() {
        try {
            ServedCertificate read = ServedCertificate.read(folder);
            if (refusal.isPresent() || !read.equals(certificate)) {
                context = read.context(folder);
                certificate = read;
                warning = Optional.empty();
                logInUse();
            }
            refusal = Optional.empty();
        } catch (CertificateFileException e) {
            Optional<String> reason = Optional.ofNullable(e.getMessage());
            if (!reason.equals(refusal)) {
                LOG.atWarn()
                        .addKeyValue("reason", reason.orElse(""))
                        .log(
                                "Failed to read the new certificate for metrics; the one valid until {} stays in use",
                                certificate.validUntil());
            }
            refusal = reason;
        }
    }

    /** {@return the states of the files, taken before they are read: a change in between shows at the next check} */
    private List<Optional<FileState>> states() {
        return Stream.of(CHAIN_FILE, KEY_FILE)
                .map(file -> FileState.of(folder.resolve(file)))
                .toList();
    }

    private void logInUse() {
        LOG.info("Metrics are served with the certificate in {}, valid until {}", folder, certificate.validUntil());
    }

    /**
     * Logs once for each certificate that clients refuse it outside its validity. The certificate is served
     * nevertheless.
     */
    private void warnOutsideValidity(Instant now) {
        Optional<String> problem = certificate.outsideValidity(now);
        if (!problem.equals(warning)) {
            problem.ifPresent(it -> LOG.atWarn()
                    .addKeyValue("reason", folder.resolve(CHAIN_FILE) + " " + it)
                    .log("Clients refuse the certificate for metrics; renew it, and the operator reads"
                            + " the new files by itself"));
            warning = problem;
        }
    }
}
