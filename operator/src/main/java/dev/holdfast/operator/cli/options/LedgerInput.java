package dev.holdfast.operator.cli.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.app.Operator;
import dev.holdfast.operator.config.ComponentLabel;
import dev.holdfast.operator.ledger.RecordedLedger;
import dev.holdfast.operator.ledger.StatusLedger;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the ledger of the operator in a cluster, or the status of policies in its place.
 *
 * @param installedNamespace the namespace of the operator whose configuration was found; empty if that is not known
 * @param isLive whether the cluster is a live one, of which all ConfigMaps were listed
 * @param messages gets what was read, as a line
 * @param warnings gets what is missing, as a line
 */
public record LedgerInput(
        OperatorConfigMaps configMaps,
        Optional<String> installedNamespace,
        boolean isLive,
        Consumer<String> messages,
        Consumer<String> warnings) {
    private static final Pattern LEDGER_NAME = Pattern.compile(Operator.LEDGER + "-\\d");

    /** {@return what the operator remembers of moves, limits, brakes and clocks; empty if that is not known} */
    public Optional<LedgerReading> read(ReadCluster cluster, Instant start) {
        Map<Boolean, List<ObjectNode>> byPlace =
                configMaps.with(ComponentLabel.LEDGER).stream().collect(Collectors.partitioningBy(this::mayBeOfLedger));
        List<ObjectNode> parts = byPlace.getOrDefault(true, List.of());
        OperatorConfigMaps.ignored(
                        ComponentLabel.LEDGER,
                        byPlace.getOrDefault(false, List.of()),
                        "without the name " + Operator.LEDGER + "-NUMBER"
                                + installedNamespace
                                        .map(it -> " in namespace " + it)
                                        .orElse(""))
                .ifPresent(warnings);
        List<String> namespaces =
                parts.stream().map(OperatorConfigMaps::namespace).distinct().toList();
        Optional<LedgerReading> ledger = namespaces.size() == 1
                ? RecordedLedger.read(parts, namespaces.getFirst(), Operator.LEDGER, start)
                : Optional.empty();
        if (ledger.orElse(null) instanceof LedgerReading.Unreadable(String why)) {
            warnings.accept("the ledger in namespace " + namespaces.getFirst() + " cannot be read: " + why
                    + "; so the operator is assumed to have lost it");
        } else if (ledger.isPresent()) {
            messages.accept("the operator's ledger is the one in namespace " + namespaces.getFirst());
        } else if (isLive) {
            return ofStatus(
                    cluster,
                    namespaces.size() > 1
                            ? "there are ledgers in namespaces " + String.join(", ", namespaces)
                            : configMaps.forbidden().orElse("no ledger of the operator was read"),
                    start);
        }
        return ledger;
    }

    /** {@return what the status of policies says instead of the ledger} Says in one line what that is. */
    private Optional<LedgerReading> ofStatus(ReadCluster cluster, String cause, Instant start) {
        Optional<StatusLedger> read =
                StatusLedger.read(cluster.dump().policies(), cluster.dump().objects(), start);
        String taken = read.map(it -> ", so the status of policies counts: "
                        + Count.of(it.ledger().limits().evictions().size(), "eviction") + " within the hour, "
                        + Count.of(it.ledger().brakes().backlogs().size(), "backlog") + " and "
                        + Count.of(it.breakers(), "open breaker")
                        + (it.unnamed().isEmpty()
                                ? ""
                                : ", without the label breaker that holds "
                                        + it.unnamed().stream()
                                                .map(PolicyId::toString)
                                                .collect(Collectors.joining(", ")))
                        + ". A status lists the last ten evictions. It is assumed that no move is in flight or"
                        + " was futile")
                .orElse(", so it is assumed that no eviction was made within the hour, that no brake is applied");
        warnings.accept(cause + taken + ", and that each violation begins now; see --operator-namespace");
        return read.map(it -> new LedgerReading.Found(it.ledger(), start));
    }

    /** {@return whether a ConfigMap is of the ledger, and in the namespace of the configuration, if that is known} */
    private boolean mayBeOfLedger(ObjectNode configMap) {
        return LEDGER_NAME.matcher(configMap.at("/metadata/name").asText()).matches()
                && installedNamespace
                        .map(OperatorConfigMaps.namespace(configMap)::equals)
                        .orElse(true);
    }
}
