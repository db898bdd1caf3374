package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** A ledger as kubectl prints its ConfigMap. */
public final class DumpedLedger {
    private DumpedLedger() {}

    /** {@return the first ConfigMap of the operator in a namespace, of a ledger that was written then} */
    public static String configMap(String namespace, Ledger ledger, Instant written) {
        StoredLedger stored = new StoredLedger(Stored.FORMAT, Stored.FORMAT, "uid-of-ledger", 1, 1, written, ledger);
        byte[] text =
                LedgerText.write(stored, new ServerTime(Duration.ZERO, written)).orElseThrow();
        return """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              namespace: %s
              name: holdfast-ledger-0
              uid: uid-of-ledger
              labels: {holdfast.dev/component: ledger}
            binaryData: {ledger.json.gz: %s}
            """.formatted(namespace, Base64.getEncoder().encodeToString(text));
    }
}
