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
 * What kube-apiserver was asked, from its audit log: every write on pods, whoever asked, and everything that service
 * accounts outside kube-system asked.
 *
 * <p>Records are in the order in which the requests were received. A record may be written a moment after its answer
 * was sent: who expects one waits for it, and who expects none first waits for something that comes later.
 */
public final class AuditTrail {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path log;
    private final List<AuditRecord> records = new ArrayList<>();
    private long position;

    AuditTrail(Path log) {
        this.log = log;
    }

    /** {@return all records up to now, oldest first} Each call reads only what was added since the last. */
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

    /** What comes after it is a line that the server is still writing. */
    private static int endOfLastLine(byte[] bytes) {
        for (int i = bytes.length; i > 0; i--) {
            if (bytes[i - 1] == '\n') {
                return i;
            }
        }
        return 0;
    }

    /** {@return the evictions in a namespace that took effect, oldest first, whoever asked for them} */
    public List<AuditRecord> evictions(String namespace) {
        return effective(namespace, AuditRecord::isEviction);
    }

    /**
     * {@return the deletions of pods in a namespace that took effect, oldest first} Each pod that somebody evicted or
     * deleted is deleted once more, or twice, by {@link ControlPlane#NODE_USER}, as a kubelet does.
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
