package dev.holdfast.operator.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.PolicyVersion;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The part of the operator's ledger that the status of policies shows, for users who may not read the ledger.
 *
 * @param ledger the evictions of the last hour, the backlogs, the breakers, and the version of each evaluated policy;
 *     nothing else
 * @param unnamed the policies with a breaker of a label that the status does not name, which the ledger lacks
 */
public record StatusLedger(Ledger ledger, List<PolicyId> unnamed) {
    private static final Duration HOUR = Duration.ofHours(1);

    /** Stands for an id that the status does not have as a whole, in texts that say how to acknowledge. */
    private static final String UNKNOWN_ID = "ID";

    private static final Pattern ID = Pattern.compile("holdfast\\.dev/acknowledge=([^\\s;]+@[0-9a-z]+)(?![0-9a-z.])");

    private static final String HELD = "; held: ";

    /** The beginning of a message about one namespace. A message about all namespaces may name one only later. */
    private static final Pattern OF_NAMESPACE =
            Pattern.compile("^(?:the last \\d+ moves|\\d+ of \\d+ bound pods broke a rule) in namespace (\\S+) ");

    private static final Pattern CHANGED = Pattern.compile("^label ([^\\s=]+)(?:=(\\S*))? (left|came to) ");

    /** The operator's words in the message of a backlog: the last match, because the cause may quote users. */
    private static final Pattern BACKLOG = Pattern.compile("since (.+), the policy would move (\\d+) of its"
            + "(?: \\d+ pods(?: beside (\\d{1,5}) within an hour)?, more than (\\d{1,9}): )?");

    /** The part of a backlog's message which says that the backlog does not hold its whole policy. */
    private static final String PARTIAL = ": none of these pods is evicted for it until ";

    /** More violations than any cluster has: how many others counted is unknown, so all of a namespace must heal. */
    private static final int OTHERS = 100_000_000;

    public StatusLedger {
        unnamed = List.copyOf(unnamed);
    }

    /**
     * {@return what the status of policies says; empty if the operator has evaluated none of them}
     *
     * @param policies the objects of the cluster
     * @param objects the objects that rules are about, of which nodes and pods count
     * @param now the time of the reading; evictions of the hour before count
     */
    public static Optional<StatusLedger> read(
            Collection<? extends JsonNode> policies, Collection<ClusterEvent> objects, Instant now) {
        List<ReadPolicy> read = policies.stream()
                .filter(it -> it.path("kind").asText().endsWith("PlacementPolicy"))
                .filter(it -> it.path("status").has("effective"))
                .map(ReadPolicy::new)
                .sorted(Comparator.comparing(ReadPolicy::id))
                .toList();
        return read.isEmpty()
                ? Optional.empty()
                : Optional.of(new Reader(nodes(objects), uids(objects), now).read(read));
    }

    private static List<Node> nodes(Collection<ClusterEvent> objects) {
        return objects.stream()
                .flatMap(it -> it instanceof ClusterEvent.NodeChanged(Node node) ? Stream.of(node) : Stream.empty())
                .toList();
    }

    private static Map<NamespacedName, String> uids(Collection<ClusterEvent> objects) {
        Map<NamespacedName, String> uids = new HashMap<>();
        objects.forEach(it -> {
            if (it instanceof ClusterEvent.PodChanged(Pod pod)) {
                uids.put(pod.name(), pod.uid());
            }
        });
        return uids;
    }

    /** {@return the number of open breakers} */
    public int breakers() {
        RememberedBrakes brakes = ledger.brakes();
        return brakes.labels().size()
                + brakes.volumes().size()
                + brakes.streaks().size()
                + (brakes.volume().isPresent() ? 1 : 0);
    }

    /** A policy with a status. */
    private record ReadPolicy(PolicyId id, JsonNode object) {
        ReadPolicy(JsonNode object) {
            this(id(object), object);
        }

        private static PolicyId id(JsonNode object) {
            String name = object.at("/metadata/name").asText();
            return object.path("kind").asText().equals("PlacementPolicy")
                    ? PolicyId.namespaced(object.at("/metadata/namespace").asText(), name)
                    : PolicyId.cluster(name);
        }

        JsonNode status() {
            return object.path("status");
        }

        long generation() {
            return status().path("observedGeneration").asLong();
        }

        PolicyVersion version() {
            return new PolicyVersion(id, object.at("/metadata/uid").asText() + "/" + generation(), Optional.empty());
        }

        /** {@return whether the operator applies the policy in its own mode, and so has seen what that moves} */
        boolean isInForce() {
            return !object.at("/spec/mode").asText().equals("Enforce")
                    || object.at("/status/effective/mode").asText().equals("Enforce");
        }

        /** {@return the namespace of an entry} The status of a PlacementPolicy leaves out its own namespace. */
        String namespaceOf(JsonNode entry) {
            return entry.path("namespace").asText(id.namespace().orElse(""));
        }

        boolean isHeldBy(Reason reason) {
            return stream(status().path("holds"))
                    .anyMatch(it -> it.path("reason").asText().equals(reason.label()));
        }

        /** {@return what the breaker says, by the namespaces of listed pods that it holds} */
        Map<String, String> messages(Reason breaker) {
            Map<String, String> messages = new TreeMap<>();
            stream(status().path("violations"))
                    .filter(it -> it.path("reason").asText().equals(breaker.label()))
                    .forEach(it -> messages.putIfAbsent(
                            namespaceOf(it), message(it.path("message").asText())));
            return messages;
        }

        private String message(String text) {
            int at = text.indexOf(HELD);
            return at < 0 ? "policy " + id + " is held by it" : text.substring(at + HELD.length());
        }

        /** {@return the listed pods that a hold holds, each once} */
        List<NamespacedName> podsHeldBy(Reason reason) {
            return stream(status().path("violations"))
                    .filter(it -> it.path("reason").asText().equals(reason.label()))
                    .map(it ->
                            new NamespacedName(namespaceOf(it), it.path("pod").asText()))
                    .distinct()
                    .toList();
        }

        String heldMessage() {
            return stream(status().path("conditions"))
                    .filter(it -> it.path("type").asText().equals("EnforcementHeld"))
                    .map(it -> it.path("message").asText())
                    .findFirst()
                    .orElse("");
        }

        private static Stream<JsonNode> stream(JsonNode list) {
            return StreamSupport.stream(list.spliterator(), false);
        }
    }

    private static RememberedBrakes.Opening opening(String message) {
        return new RememberedBrakes.Opening(idIn(message), message);
    }

    /** {@return the earlier opening, or the next one if the id of the earlier one is unknown} */
    private static RememberedBrakes.Opening known(RememberedBrakes.Opening before, RememberedBrakes.Opening next) {
        return before.id().equals(UNKNOWN_ID) ? next : before;
    }

    private static String idIn(String message) {
        Matcher id = ID.matcher(message);
        return id.find() ? id.group(1) : UNKNOWN_ID;
    }

    /** Collects what the policies say, one after the other. */
    private static final class Reader {
        private final List<Node> nodes;
        private final Map<NamespacedName, String> uids;
        private final Instant now;
        private final List<Moves.PastEviction> evictions = new ArrayList<>();
        private final List<RememberedBrakes.Backlog> backlogs = new ArrayList<>();
        private final Map<List<Object>, RememberedBrakes.Changed> changed = new LinkedHashMap<>();
        private final Map<List<Object>, RememberedBrakes.LabelOpening> labels = new LinkedHashMap<>();
        private Optional<RememberedBrakes.Opening> volume = Optional.empty();
        private final Map<String, RememberedBrakes.Opening> volumes = new TreeMap<>();
        private Optional<RememberedBrakes.Opening> moves = Optional.empty();
        private final Map<String, RememberedBrakes.Opening> movesOfNamespace = new TreeMap<>();
        private final List<PolicyId> unnamed = new ArrayList<>();

        Reader(List<Node> nodes, Map<NamespacedName, String> uids, Instant now) {
            this.nodes = nodes;
            this.uids = uids;
            this.now = now;
        }

        StatusLedger read(List<ReadPolicy> policies) {
            policies.forEach(this::read);
            Ledger empty = Ledger.empty();
            Moves.Remembered nothing = empty.limits();
            List<RememberedBrakes.Streak> streaks = new ArrayList<>();
            moves.ifPresent(it -> streaks.add(new RememberedBrakes.Streak(Optional.empty(), List.of(), moves)));
            movesOfNamespace.forEach((namespace, opening) ->
                    streaks.add(new RememberedBrakes.Streak(Optional.of(namespace), List.of(), Optional.of(opening))));
            evictions.sort(Comparator.comparing(Moves.PastEviction::at));
            return new StatusLedger(
                    new Ledger(
                            new Moves.Remembered(
                                    evictions,
                                    List.of(),
                                    nothing.futility(),
                                    nothing.slowStart(),
                                    List.of(),
                                    nothing.turns()),
                            List.of(),
                            List.of(),
                            new RememberedBrakes(
                                    List.copyOf(changed.values()),
                                    List.copyOf(labels.values()),
                                    List.of(),
                                    volume,
                                    volumes.entrySet().stream()
                                            .map(one -> new RememberedBrakes.NamespaceOpening(
                                                    one.getKey(), one.getValue(), OTHERS, 0))
                                            .toList(),
                                    streaks,
                                    backlogs,
                                    List.of(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty()),
                            Optional.empty(),
                            Optional.of(policies.stream()
                                    .filter(ReadPolicy::isInForce)
                                    .map(ReadPolicy::version)
                                    .toList())),
                    unnamed);
        }

        private void read(ReadPolicy policy) {
            ReadPolicy.stream(policy.status().path("recentEvictions")).forEach(it -> eviction(policy, it));
            if (policy.isHeldBy(Reason.POLICY_BACKLOG)) {
                backlogs.add(backlog(policy));
            }
            if (policy.isHeldBy(Reason.VOLUME_BREAKER)) {
                volume = placed(policy, Reason.VOLUME_BREAKER, volume, volumes);
            }
            if (policy.isHeldBy(Reason.OUTCOME_BREAKER)) {
                moves = placed(policy, Reason.OUTCOME_BREAKER, moves, movesOfNamespace);
            }
            if (policy.isHeldBy(Reason.LABEL_BREAKER)) {
                label(policy);
            }
        }

        /**
         * {@return the backlog of a policy} The backlog is partial only if the status lists all its pods, as many as
         * the message says: other pods may be in any namespace.
         */
        private RememberedBrakes.Backlog backlog(ReadPolicy policy) {
            String message = policy.heldMessage();
            Matcher found = BACKLOG.matcher(message);
            boolean says = found.find();
            List<NamespacedName> pods = policy.podsHeldBy(Reason.POLICY_BACKLOG);
            Optional<Integer> gone =
                    says ? Optional.ofNullable(found.group(3)).map(Integer::valueOf) : Optional.empty();
            Optional<RememberedBrakes.Part> part = says
                            && message.contains(PARTIAL)
                            && found.group(2).equals(Integer.toString(pods.size()))
                            && found.group(4) != null
                            && pods.size() + gone.orElse(0) > Integer.parseInt(found.group(4))
                            && uids.keySet().containsAll(pods)
                    ? Optional.of(new RememberedBrakes.Part(
                            pods.stream()
                                    .map(NamespacedName::namespace)
                                    .distinct()
                                    .sorted()
                                    .toList(),
                            Optional.of(pods.stream().map(uids::get).sorted().toList())))
                    : Optional.empty();
            return new RememberedBrakes.Backlog(
                    policy.id(),
                    idIn(message),
                    policy.generation(),
                    says ? Optional.of(found.group(1)) : Optional.empty(),
                    gone,
                    part);
        }

        /**
         * Takes what a policy says of a breaker.
         *
         * @param before the breaker of all namespaces, as far as earlier policies say it
         * @param ofNamespaces the breakers of single namespaces, to which this adds
         * @return the breaker of all namespaces; empty if none is known
         */
        private static Optional<RememberedBrakes.Opening> placed(
                ReadPolicy policy,
                Reason breaker,
                Optional<RememberedBrakes.Opening> before,
                Map<String, RememberedBrakes.Opening> ofNamespaces) {
            Map<String, String> placed = placed(policy, breaker);
            placed.forEach((namespace, text) -> {
                if (!namespace.isEmpty()) {
                    ofNamespaces.merge(namespace, opening(text), StatusLedger::known);
                }
            });
            Optional<RememberedBrakes.Opening> ofAll =
                    Optional.ofNullable(placed.get("")).map(StatusLedger::opening);
            return before.map(it -> known(it, ofAll.orElse(it))).or(() -> ofAll);
        }

        /**
         * {@return what a breaker says, by the namespace that it holds; the empty name stands for all namespaces} The
         * breaker may hold more pods than the listed ones, so the message decides. If no message is known, all
         * namespaces are held that the policy reaches.
         */
        private static Map<String, String> placed(ReadPolicy policy, Reason breaker) {
            String unknown = policy.message("");
            Map<String, String> placed = new TreeMap<>();
            policy.messages(breaker).values().forEach(text -> {
                Matcher one = OF_NAMESPACE.matcher(text);
                String ofPolicy = text.equals(unknown) ? policy.id().namespace().orElse("") : "";
                placed.putIfAbsent(one.find() ? one.group(1) : ofPolicy, text);
            });
            return placed.isEmpty() ? Map.of(policy.id().namespace().orElse(""), unknown) : placed;
        }

        private void eviction(ReadPolicy policy, JsonNode entry) {
            try {
                Instant at = Instant.parse(entry.path("time").asText());
                if (at.isAfter(now.minus(HOUR))) {
                    evictions.add(new Moves.PastEviction(
                            at, policy.namespaceOf(entry), policy.id(), Optional.empty(), Set.of()));
                }
            } catch (DateTimeParseException _) {
                // The CRD requires a time. A file may lack it, and then the eviction is not known.
            }
        }

        /**
         * Assumes that a label or its value left all nodes that lack it, or that the label came to all nodes that have
         * the label or its value.
         */
        private void label(ReadPolicy policy) {
            Optional<Matcher> found = policy.messages(Reason.LABEL_BREAKER).values().stream()
                    .map(CHANGED::matcher)
                    .filter(Matcher::find)
                    .findFirst();
            if (found.isEmpty()) {
                unnamed.add(policy.id());
                return;
            }
            String key = found.get().group(1);
            Optional<String> value = Optional.ofNullable(found.get().group(2));
            boolean came = found.get().group(3).equals("came to");
            Optional<String> namespace = policy.id().namespace();
            labels.merge(
                    List.of(key, namespace),
                    new RememberedBrakes.LabelOpening(
                            key,
                            namespace,
                            opening(policy.messages(Reason.LABEL_BREAKER)
                                    .values()
                                    .iterator()
                                    .next()),
                            now),
                    (before, next) -> new RememberedBrakes.LabelOpening(
                            key, namespace, known(before.opening(), next.opening()), now));
            for (Node node : nodes) {
                Optional<String> has = node.labels().get(key);
                boolean counts = value.isPresent() ? has.equals(value) : has.isPresent();
                if (counts == came) {
                    change(key, node.name(), came ? has.orElseThrow() : value.orElse(""), came, namespace.orElse(""));
                }
            }
        }

        /** @param broke the namespace of the policy whose rule broke because the value came; the empty text for all */
        private void change(String key, String node, String value, boolean came, String broke) {
            changed.merge(
                    List.of(key, node, value, came),
                    new RememberedBrakes.Changed(
                            key,
                            node,
                            value,
                            now,
                            came ? Optional.of(true) : Optional.empty(),
                            came ? Optional.of(List.of(broke)) : Optional.empty()),
                    (one, other) -> new RememberedBrakes.Changed(
                            key, node, value, now, one.came(), one.broke().map(before -> union(before, broke))));
        }

        private static List<String> union(List<String> some, String one) {
            return Stream.concat(some.stream(), Stream.of(one))
                    .distinct()
                    .sorted()
                    .toList();
        }
    }
}
