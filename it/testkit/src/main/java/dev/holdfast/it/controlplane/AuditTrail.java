package dev.holdfast.it.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A reader of kube-apiserver's audit log. The log has every write on pods by any user, and every request of
 * ServiceAccounts outside kube-system.
 *
 * <p>Records are in the order in which the server received the requests. The server may write a record shortly after it
 * has answered the request. To prove that a request was not sent, first wait for the record of a later request.
 */
public final class AuditTrail {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path log;
    private final List<AuditRecord> records = new ArrayList<>();
    private long position;

    AuditTrail(Path log) {
        this.log = log;
    }

    /** Reads what the server added to the log since the last call, and returns all records up to now, oldest first. */
    public synchronized List<AuditRecord> records() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(position);
            byte[] added = new byte[Math.toIntExact(file.length() - position)];
            file.readFully(added);
            int whole = endOfLastLine(added);
            for (String line : new String(added, 0, whole, UTF_8).lines().toList()) {
                records.add(AuditRecord.of(JSON.readTree(line)));
            }
            position += whole;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the audit log " + log, e);
        }
        records.sort(Comparator.comparing(AuditRecord::received));
        return List.copyOf(records);
    }

    /** {@return the number of bytes up to the last line break} The server may still be writing what follows. */
    private static int endOfLastLine(byte[] bytes) {
        for (int i = bytes.length; i > 0; i--) {
            if (bytes[i - 1] == '\n') {
                return i;
            }
        }
        return 0;
    }

    /** {@return the evictions in a namespace that took effect, by any user, oldest first} */
    public List<AuditRecord> evictions(String namespace) {
        return effective(namespace, AuditRecord::isEviction);
    }

    /**
     * {@return the pod deletions in a namespace that took effect, oldest first} The result includes deletions by kwok
     * ({@link ControlPlane#NODE_USER}): after each eviction or deletion kwok deletes the pod once or twice more, as a
     * kubelet does.
     */
    public List<AuditRecord> podDeletions(String namespace) {
        return effective(namespace, AuditRecord::isPodDeletion);
    }

    private List<AuditRecord> effective(String namespace, Predicate<AuditRecord> wanted) {
        return records().stream()
                .filter(record -> record.namespace().equals(namespace))
                .filter(AuditRecord::tookEffect)
                .filter(wanted)
                .toList();
    }
}
