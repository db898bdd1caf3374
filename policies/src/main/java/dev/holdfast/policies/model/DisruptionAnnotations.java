package dev.holdfast.policies.model;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The parsed annotations of one pod, workload object or namespace that restrict evictions.
 *
 * @param forbiddenToOtherTools the annotation that forbids other tools (autoscaler, Karpenter, descheduler) to evict
 *     the pod, as {@code key: "value"}; absent if there is none. Only a pod's annotation has an effect
 * @param keep whether {@link #KEEP} forbids evictions
 * @param keepUntil until when {@link #KEEP_UNTIL} forbids evictions; absent if it is not set
 * @param forgiveness the minimum forgiveness of each violation; absent if {@link #FORGIVENESS} is not set
 * @param acknowledged the ids of breakers and policy backlogs that a user has acknowledged; empty if there are none
 * @param deletionCost the annotation {@code pod-deletion-cost}: of two otherwise equal pods, the one with the lower
 *     cost is moved first; 0 if it is not set. Only a pod's annotation has an effect
 * @param malformed a message with the allowed values for each Holdfast annotation that is invalid and therefore ignored
 */
public record DisruptionAnnotations(
        Optional<String> forbiddenToOtherTools,
        boolean keep,
        Optional<Instant> keepUntil,
        Optional<Duration> forgiveness,
        Set<String> acknowledged,
        int deletionCost,
        List<String> malformed) {
    /** The key of the annotation that forbids Holdfast to evict a pod if its value is {@code "true"}. */
    public static final String KEEP = "holdfast.dev/keep";

    /** The key of the annotation that forbids Holdfast to evict a pod until a time in RFC 3339. */
    public static final String KEEP_UNTIL = "holdfast.dev/keep-until";

    /**
     * The key of the annotation that sets the minimum forgiveness of a pod's violations: 0 to 604800 seconds (a week).
     */
    public static final String FORGIVENESS = "holdfast.dev/forgiveness-seconds";

    /**
     * The key of the annotation with which a user acknowledges open breakers and policy backlogs. The value lists ids
     * from messages and status, separated by commas.
     */
    public static final String ACKNOWLEDGE = "holdfast.dev/acknowledge";

    private static final String SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict";
    private static final String DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt";
    private static final String DO_NOT_EVICT = "karpenter.sh/do-not-evict";
    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final String PREFER_NO_EVICTION = "descheduler.alpha.kubernetes.io/prefer-no-eviction";

    /** The keys of the annotations that this class parses. */
    public static final List<String> KEYS = List.of(
            KEEP,
            KEEP_UNTIL,
            FORGIVENESS,
            ACKNOWLEDGE,
            SAFE_TO_EVICT,
            DO_NOT_DISRUPT,
            DO_NOT_EVICT,
            PREFER_NO_EVICTION,
            DELETION_COST);

    /** How many characters of {@link #ACKNOWLEDGE} count; what comes after them is ignored. */
    public static final int MOST_ACKNOWLEDGEMENTS = 1_024;

    private static final int MOST_IDS = 64;

    /** The maximum length of all other annotations. A longer one is malformed. */
    private static final int MOST_CHARACTERS = 64;

    private static final int MAX_FORGIVENESS_SECONDS = 604_800;
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");
    private static final DisruptionAnnotations NONE = new DisruptionAnnotations(
            Optional.empty(), false, Optional.empty(), Optional.empty(), Set.of(), 0, List.of());

    /**
     * {@return whether this and {@code other} restrict evictions in the same way; acknowledged ids and deletion cost
     * are not compared}
     */
    public boolean requestsSame(DisruptionAnnotations other) {
        return forbiddenToOtherTools.equals(other.forbiddenToOtherTools)
                && keep == other.keep
                && keepUntil.equals(other.keepUntil)
                && forgiveness.equals(other.forgiveness)
                && malformed.equals(other.malformed);
    }

    /**
     * {@return whether these annotations may allow an eviction that the earlier ones of the same object would prevent}
     * Only annotations of Holdfast are compared.
     *
     * @param before the earlier annotations
     * @param wall the wall-clock time
     */
    public boolean allowMoreThan(DisruptionAnnotations before, Instant wall) {
        boolean endsLater = keepUntil.isPresent()
                && before.keepUntil.filter(keepUntil.get()::isBefore).isEmpty();
        boolean wasKept = before.keep || before.keepUntil.filter(wall::isBefore).isPresent();
        boolean isKept = keep || (!before.keep && endsLater);
        boolean forgivesLess = before.forgiveness
                .filter(longer ->
                        forgiveness.filter(it -> it.compareTo(longer) >= 0).isEmpty())
                .isPresent();
        return (wasKept && !isKept) || forgivesLess;
    }

    public DisruptionAnnotations {
        acknowledged = Set.copyOf(acknowledged);
        malformed = List.copyOf(malformed);
    }

    /** {@return the value for an object without any of these annotations} */
    public static DisruptionAnnotations none() {
        return NONE;
    }

    /** {@return a copy without acknowledged ids; this object if there are none} */
    public DisruptionAnnotations withoutAcknowledgements() {
        return acknowledged.isEmpty()
                ? this
                : new DisruptionAnnotations(
                        forbiddenToOtherTools, keep, keepUntil, forgiveness, Set.of(), deletionCost, malformed);
    }

    /** {@return the parsed annotations of an object; keys that are not in {@link #KEYS} are ignored} */
    public static DisruptionAnnotations of(Map<String, String> annotations) {
        List<String> malformed = new ArrayList<>();
        Map<String, String> read = new TreeMap<>(annotations);
        read.keySet().retainAll(KEYS);
        if (read.isEmpty()) {
            return NONE;
        }
        return new DisruptionAnnotations(
                forbiddenToOtherTools(read),
                keep(read, malformed),
                keepUntil(read, malformed),
                forgiveness(read, malformed),
                acknowledged(read),
                deletionCost(read),
                malformed);
    }

    /**
     * {@return an annotation that forbids other tools to evict the pod, as {@code key: "value"}; empty if there is
     * none} Each annotation is read as its tool reads it. The descheduler, for example, ignores the value.
     */
    private static Optional<String> forbiddenToOtherTools(Map<String, String> annotations) {
        return annotations.entrySet().stream()
                .filter(annotation -> switch (annotation.getKey()) {
                    case SAFE_TO_EVICT -> annotation.getValue().equals("false");
                    // Karpenter accepts "true" or a duration.
                    case DO_NOT_DISRUPT -> !annotation.getValue().equals("false");
                    case DO_NOT_EVICT -> annotation.getValue().equals("true");
                    case PREFER_NO_EVICTION -> true;
                    default -> false;
                })
                .map(annotation -> annotation.getKey() + ": " + quoted(annotation.getValue()))
                .findFirst();
    }

    private static boolean keep(Map<String, String> annotations, List<String> malformed) {
        String written = annotations.getOrDefault(KEEP, "false");
        if (!written.equals("true") && !written.equals("false")) {
            malformed.add(KEEP + " must be \"true\" or \"false\", got " + quoted(written));
        }
        return written.equals("true");
    }

    private static Optional<Instant> keepUntil(Map<String, String> annotations, List<String> malformed) {
        return Optional.ofNullable(annotations.get(KEEP_UNTIL)).flatMap(written -> {
            try {
                if (written.length() > MOST_CHARACTERS) {
                    throw new DateTimeException("too long");
                }
                return Optional.of(OffsetDateTime.parse(written).toInstant());
            } catch (DateTimeException _) {
                malformed.add(
                        KEEP_UNTIL + " must be a time as in 2026-12-31T00:00:00Z (RFC 3339), got " + quoted(written));
                return Optional.empty();
            }
        });
    }

    /**
     * {@return the ids in {@link #ACKNOWLEDGE}; empty if it is absent; any text is a valid id; only the
     * first {@value #MOST_ACKNOWLEDGEMENTS} characters count, and {@value #MOST_IDS} ids}
     */
    public static Set<String> acknowledged(Map<String, String> annotations) {
        String written = annotations.getOrDefault(ACKNOWLEDGE, "");
        String counted = written.substring(0, Math.min(written.length(), MOST_ACKNOWLEDGEMENTS));
        return Arrays.stream(counted.split(","))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .limit(MOST_IDS)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<Duration> forgiveness(Map<String, String> annotations, List<String> malformed) {
        return Optional.ofNullable(annotations.get(FORGIVENESS)).flatMap(written -> {
            if (SECONDS.matcher(written).matches() && Integer.parseInt(written) <= MAX_FORGIVENESS_SECONDS) {
                return Optional.of(Duration.ofSeconds(Integer.parseInt(written)));
            }
            malformed.add(
                    FORGIVENESS + " must be 0 to " + MAX_FORGIVENESS_SECONDS + " (a week), got " + quoted(written));
            return Optional.empty();
        });
    }

    private static String quoted(String value) {
        return "\"" + QuotedText.of(value) + "\"";
    }

    /** {@return the pod deletion cost; 0 if the value is no 32-bit integer, which the API server does not accept} */
    private static int deletionCost(Map<String, String> annotations) {
        try {
            return Integer.parseInt(annotations.getOrDefault(DELETION_COST, "0"));
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
