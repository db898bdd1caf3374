package dev.holdfast.operator.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a ledger from listed ConfigMaps, without the API server. An operator that starts now would read the same, apart
 * from the note in the Lease. So this reader accepts a ledger from a backup.
 */
public final class RecordedLedger {
    private RecordedLedger() {}

    /**
     * {@return the ledger of the operator in a namespace; empty if it has none, or has written none yet}
     *
     * @param name the names of the ConfigMaps without their numbers
     * @param now the time at which an operator would read it, by a clock that agrees with the API server's
     */
    public static Optional<LedgerReading> read(
            List<? extends JsonNode> configMaps, String namespace, String name, Instant now) {
        Map<String, LedgerAnswer> answers = new HashMap<>();
        for (JsonNode configMap : configMaps) {
            if (configMap.at("/metadata/namespace").asText().equals(namespace)) {
                answers.put(configMap.at("/metadata/name").asText(), answer(configMap));
            }
        }
        LedgerNote noNote = new LedgerNote(Optional::empty, _ -> {});
        try (LedgerStorage storage = new LedgerStorage(
                new Listed(answers),
                namespace,
                name,
                WhenMissing.HOLD,
                _ -> false,
                noNote,
                () -> Optional.of(Duration.ZERO),
                () -> now)) {
            LedgerReading reading = storage.read(new Effect.ReadLedger(1)).reading();
            return switch (reading) {
                case LedgerReading.Found found ->
                    found.written().equals(Instant.EPOCH) ? Optional.empty() : Optional.of(found);
                case LedgerReading.Unreadable unreadable -> Optional.of(unreadable);
                case LedgerReading.Failed _, LedgerReading.NoMemory _ -> Optional.empty();
            };
        }
    }

    private static LedgerAnswer answer(JsonNode configMap) {
        JsonNode text = configMap.path("binaryData").path(KubernetesLedger.KEY);
        try {
            return new LedgerAnswer.Current(
                    configMap.at("/metadata/uid").asText(),
                    text.isTextual() ? Optional.of(Base64.getDecoder().decode(text.asText())) : Optional.empty());
        } catch (IllegalArgumentException _) {
            return new LedgerAnswer.Failed("binaryData is not Base64");
        }
    }

    /** ConfigMaps that can only be read. */
    private record Listed(Map<String, LedgerAnswer> answers) implements LedgerApi {
        @Override
        public LedgerAnswer read(String name) {
            return answers.getOrDefault(name, new LedgerAnswer.Missing());
        }

        @Override
        public LedgerAnswer create(String name) {
            return new LedgerAnswer.Refused("nothing is changed");
        }

        @Override
        public LedgerAnswer replace(String name, byte[] data) {
            return new LedgerAnswer.Refused("nothing is changed");
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
