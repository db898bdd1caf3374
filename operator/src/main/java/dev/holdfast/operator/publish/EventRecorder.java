package dev.holdfast.operator.publish;

import dev.holdfast.operator.publish.rate.NamespaceRateLimiter;
import dev.holdfast.operator.publish.rate.PolicyRateLimiter;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.DynamicLabel;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records Kubernetes events on the pod, its controller and the policy. The engine puts events into a bounded queue, and
 * a separate thread writes them, so that the engine never waits. Only the leader writes events; a new leader also
 * writes the queued events of the minute before.
 */
public final class EventRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

    private static final int QUEUE = 1_000;
    private static final int AT_ONCE = 30;
    private static final Duration ONE_MORE_EACH = Duration.ofSeconds(6);
    private static final int ACKNOWLEDGEMENTS_AT_ONCE = 10;
    private static final Duration ONE_MORE_ACKNOWLEDGEMENT_EACH = Duration.ofMinutes(1);
    private static final Duration GATHERING = Duration.ofSeconds(1);
    private static final Duration WAIT_FOR_LEAD = Duration.ofMinutes(1);
    private static final Duration FLUSH = Duration.ofSeconds(2);
    private static final int TICK_MILLIS = 250;

    private final EventSink sink;
    private final Function<PolicyId, Optional<String>> policyUids;
    private final Function<BoundPod, Optional<Controller>> controllers;
    private final BooleanSupplier leads;
    private final InstantSource clock;
    private final Consumer<EventWriteResult> count;

    private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(QUEUE);
    private final FoundAtStartSummary foundAtStart = new FoundAtStartSummary(GATHERING);
    private final PolicyRateLimiter rateLimiter = new PolicyRateLimiter(AT_ONCE, ONE_MORE_EACH);
    private final PolicyRateLimiter acknowledgements =
            new PolicyRateLimiter(ACKNOWLEDGEMENTS_AT_ONCE, ONE_MORE_ACKNOWLEDGEMENT_EACH);
    private final NamespaceRateLimiter tooComplex;
    private final NamespaceRateLimiter invalidRules;
    private final Thread writer;
    private final CountDownLatch closing = new CountDownLatch(1);

    private record Pending(EventDraft note, Instant at) {}

    /**
     * Creates an event recorder. The recorder queues events at once, and writes them after {@link #start}.
     *
     * @param policyUids finds the UID of a policy; empty if the policy was deleted
     * @param controllers finds the controller of a pod's controller, such as the Deployment of a ReplicaSet; empty if
     *     there is none. Called on the thread that records
     * @param leads whether this replica leads now
     * @param count takes the result of each event, for the metrics
     * @param onDeath called if the writing thread dies; the process should then end with an error
     */
    public static EventRecorder of(
            KubernetesClient client,
            Function<PolicyId, Optional<String>> policyUids,
            Function<BoundPod, Optional<Controller>> controllers,
            BooleanSupplier leads,
            InstantSource clock,
            Consumer<EventWriteResult> count,
            Thread.UncaughtExceptionHandler onDeath) {
        return new EventRecorder(
                new KubernetesEventSink(client, clock), policyUids, controllers, leads, clock, count, onDeath);
    }

    EventRecorder(
            EventSink sink,
            Function<PolicyId, Optional<String>> policyUids,
            Function<BoundPod, Optional<Controller>> controllers,
            BooleanSupplier leads,
            InstantSource clock,
            Consumer<EventWriteResult> count,
            Thread.UncaughtExceptionHandler onDeath) {
        this.sink = sink;
        this.policyUids = policyUids;
        this.controllers = controllers;
        this.leads = leads;
        this.clock = clock;
        this.count = count;
        this.tooComplex = new NamespaceRateLimiter(AT_ONCE, ONE_MORE_EACH, clock.instant());
        this.invalidRules = new NamespaceRateLimiter(AT_ONCE, ONE_MORE_EACH, clock.instant());
        this.writer = Thread.ofPlatform()
                .daemon()
                .name("holdfast-events")
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::run);
    }

    /** Queues the Kubernetes events for a notification, if it has any. Never blocks. */
    public void record(Notification notification) {
        Instant now = clock.instant();
        ViolationReport violation = notification.violation();
        if (notification instanceof Notification.Started && violation.cause() instanceof Cause.FoundAtStart) {
            gather(violation, now);
            return;
        }
        if (notification instanceof Notification.Held(var _, var hold) && hold.reason() == Reason.NOT_POSSIBLE) {
            // The rule asks for nothing now. The status of the policy and the log say so.
            return;
        }
        if (EventMessage.of(notification, Optional.empty(), now).isEmpty()) {
            return;
        }
        BoundPod subject = notification.subject();
        List<EventTarget> targets = targets(notification, subject);
        if (!allowed(notification, targets.size(), now)) {
            return;
        }
        Optional<String> plan = plan(notification);
        for (EventTarget target : targets) {
            String about = target.kind().equals("Pod") ? "" : "Pod " + subject.name() + ": ";
            EventMessage.of(notification, target.namespace(), now)
                    .ifPresent(eventMessage -> enqueue(
                            new EventDraft(
                                    target,
                                    eventMessage.reason(),
                                    Optional.of(violation.policy()),
                                    violation.rule(),
                                    about + eventMessage.message(),
                                    plan),
                            now));
        }
    }

    /**
     * Queues the Kubernetes event for a report about a breaker, a backlog, a label or an acknowledgement. Never blocks.
     * Reports about breakers and backlogs are few, so no rate limit applies. Unknown acknowledgements of a policy have
     * one of their own, because a tenant can rewrite the annotation as often as it likes.
     *
     * @param namespace the operator's own namespace; events that concern all policies are recorded on it
     */
    public void record(BrakeReport report, String namespace) {
        Instant now = clock.instant();
        if (report instanceof UnknownAcknowledgement(var policy, var _)
                && policy.filter(it -> !rationed(acknowledgements, it, 1, now)).isPresent()) {
            return;
        }
        note(report, namespace).ifPresent(note -> enqueue(note, now));
    }

    /**
     * Queues the Kubernetes event for a pod that is too complex, unless the rate limit for such pods of its
     * namespace, or of all namespaces together, forbids it. Never blocks. Used by the engine's thread only.
     */
    public void record(Effect.FoundTooComplex found) {
        Instant now = clock.instant();
        if (!tooComplex.take(found.pod().namespace(), now)) {
            count.accept(EventWriteResult.LEFT_OUT);
            return;
        }
        enqueue(
                new EventDraft(
                        EventTarget.pod(found.pod(), found.uid()),
                        EventReason.POD_TOO_COMPLEX,
                        Optional.empty(),
                        "",
                        found.message(),
                        Optional.empty()),
                now);
    }

    /**
     * Queues the Kubernetes event for a pod with invalid rules in its annotation, unless the rate limit for such pods
     * of its namespace, or of all namespaces together, forbids it. Never blocks. Used by the engine's thread only.
     */
    public void record(Effect.FoundInvalidRules found) {
        Instant now = clock.instant();
        if (!invalidRules.take(found.pod().namespace(), now)) {
            count.accept(EventWriteResult.LEFT_OUT);
            return;
        }
        enqueue(
                new EventDraft(
                        EventTarget.pod(found.pod(), found.uid()),
                        EventReason.PLACEMENT_ANNOTATION_IGNORED,
                        Optional.empty(),
                        "",
                        found.message(),
                        Optional.empty()),
                now);
    }

    private static String subject(BreakerScope scope) {
        return switch (scope) {
            case BreakerScope.Everything() -> "";
            case BreakerScope.NodeLabel(String key) -> key;
            case BreakerScope.NodeLabelForPolicies(String key, String namespace) -> key + " of namespace " + namespace;
            case BreakerScope.OneNamespace(String name) -> "namespace " + name;
        };
    }

    private Optional<EventDraft> note(BrakeReport report, String namespace) {
        return switch (report) {
            case BreakerReport breaker ->
                Optional.of(new EventDraft(
                        EventTarget.namespace(namespace),
                        reason(breaker.change()),
                        Optional.empty(),
                        subject(breaker.scope()),
                        breaker.message(),
                        Optional.empty()));
            case BacklogReport(PolicyId policy, var _, var change, String message) ->
                policyTarget(policy)
                        .map(target -> new EventDraft(
                                target, reason(change), Optional.of(policy), "", message, Optional.empty()));
            case UnknownAcknowledgement(var policy, String message) ->
                policy.map(this::policyTarget)
                        .orElseGet(() -> Optional.of(EventTarget.namespace(namespace)))
                        .map(target -> new EventDraft(
                                target, EventReason.ACKNOWLEDGEMENT_UNKNOWN, policy, "", message, Optional.empty()));
            case DynamicLabel(String key, String message) ->
                Optional.of(new EventDraft(
                        EventTarget.namespace(namespace),
                        EventReason.DYNAMIC_LABEL,
                        Optional.empty(),
                        key,
                        message,
                        Optional.empty()));
        };
    }

    private static EventReason reason(BrakeReport.Change change) {
        return switch (change) {
            case OPENED, TAKEN_OVER -> EventReason.ENFORCEMENT_FROZEN;
            case HEALED, ACKNOWLEDGED -> EventReason.ENFORCEMENT_RESUMED;
        };
    }

    /** Drops the state of the rate limit of a deleted policy. */
    public void forget(PolicyId policy) {
        synchronized (rateLimiter) {
            rateLimiter.forget(policy);
            acknowledgements.forget(policy);
        }
    }

    private void gather(ViolationReport violation, Instant now) {
        EventTarget owner = workload(violation.owner())
                .or(() -> EventTarget.controller(violation.owner()))
                .orElseGet(() -> EventTarget.pod(violation.owner()));
        synchronized (foundAtStart) {
            foundAtStart.add(owner, violation, now);
            policyTarget(violation.policy()).ifPresent(target -> foundAtStart.add(target, violation, now));
        }
    }

    /**
     * {@return whether the rate limit allows the events} The limit does not apply to events about evictions, which have
     * limits of their own.
     */
    private boolean allowed(Notification notification, int events, Instant now) {
        return notification instanceof Notification.OfEviction
                || rationed(rateLimiter, notification.violation().policy(), events, now);
    }

    private boolean rationed(PolicyRateLimiter limiter, PolicyId policy, int events, Instant now) {
        boolean allowed;
        synchronized (rateLimiter) {
            allowed = limiter.take(policy, events, now);
        }
        if (!allowed) {
            for (int i = 0; i < events; i++) {
                count.accept(EventWriteResult.LEFT_OUT);
            }
        }
        return allowed;
    }

    private List<EventTarget> targets(Notification notification, BoundPod subject) {
        List<EventTarget> targets = new ArrayList<>();
        if (!(notification instanceof Notification.Moved)) {
            targets.add(EventTarget.pod(subject));
        }
        // "Evicting" goes to the pod only. Other events go to the workload and policy too, which outlive the pod.
        if (!(notification instanceof Notification.Evicting)) {
            EventTarget.controller(subject).ifPresent(targets::add);
            workload(subject).ifPresent(targets::add);
            policyTarget(notification.violation().policy()).ifPresent(targets::add);
        }
        return targets;
    }

    /** {@return the object that controls the pod's controller, where users look first: a Deployment or a CronJob} */
    private Optional<EventTarget> workload(BoundPod pod) {
        return controllers
                .apply(pod)
                .map(it -> EventTarget.workload(it, pod.name().namespace()));
    }

    private Optional<EventTarget> policyTarget(PolicyId policy) {
        return policyUids.apply(policy).map(uid -> EventTarget.policy(policy, uid));
    }

    private static Optional<String> plan(Notification notification) {
        return notification instanceof Notification.OfEviction eviction
                ? Optional.of(eviction.planId())
                : Optional.empty();
    }

    private void enqueue(EventDraft note, Instant now) {
        Pending pending = new Pending(note, now);
        boolean fits = queue.offer(pending);
        if (!fits && leads.getAsBoolean()) {
            count.accept(EventWriteResult.DROPPED);
        } else if (!fits) {
            // The leader that may end has written the oldest.
            Pending _ = queue.poll();
            boolean _ = queue.offer(pending);
        }
    }

    /** Starts the thread that writes the queued events. */
    public void start() {
        writer.start();
    }

    private void run() {
        try {
            while (!isClosing() || !queue.isEmpty()) {
                writeNext();
            }
        } catch (InterruptedException _) {
            LOG.debug("Stopped with {} events unwritten", queue.size());
        }
    }

    /** Writes the next queued event, and logs an exception, so that later events are still written. */
    private void writeNext() throws InterruptedException {
        try {
            queueDue(clock.instant());
            Pending next = queue.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
            if (next != null) {
                deliver(next);
            }
        } catch (RuntimeException e) {
            count.accept(EventWriteResult.FAILED);
            LOG.error("Failed to write a Kubernetes event", e);
        }
    }

    /** Queues the summaries that are due: of violations found at the start, and of events over the rate limit. */
    void queueDue(Instant now) {
        List<EventDraft> ripe;
        synchronized (foundAtStart) {
            ripe = foundAtStart.ripe(now);
        }
        ripe.stream()
                .filter(note -> note.policy()
                        .filter(policy -> !rationed(rateLimiter, policy, 1, now))
                        .isEmpty())
                .forEach(note -> enqueue(note, now));
        List<PolicyRateLimiter.Summary> summaries = new ArrayList<>();
        synchronized (rateLimiter) {
            summaries.addAll(rateLimiter.summaries(now));
            summaries.addAll(acknowledgements.summaries(now));
        }
        summaries.forEach(summary ->
                policyTarget(summary.policy()).ifPresent(target -> enqueue(summaryNote(target, summary), now)));
    }

    private static EventDraft summaryNote(EventTarget target, PolicyRateLimiter.Summary summary) {
        return new EventDraft(
                target,
                EventReason.PLACEMENT_EVENTS_LEFT_OUT,
                Optional.of(summary.policy()),
                "",
                summary.count() + " more events of this policy were left out because of the event rate limit. Its"
                        + " status counts all violations, and the operator's log at level debug has each.",
                Optional.empty());
    }

    private void deliver(Pending pending) throws InterruptedException {
        while (!leads.getAsBoolean()) {
            if (isClosing() || clock.instant().isAfter(pending.at().plus(WAIT_FOR_LEAD))) {
                // A standby has one for each that the leader writes: it is not lost.
                return;
            }
            closing.await(TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
        count.accept(sink.write(pending.note(), pending.at()) ? EventWriteResult.WRITTEN : EventWriteResult.FAILED);
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Writes the queued events, for at most two seconds, and stops. */
    @Override
    public void close() {
        queueDue(clock.instant().plus(GATHERING));
        closing.countDown();
        try {
            if (writer.getState() != Thread.State.NEW && !writer.join(FLUSH)) {
                writer.interrupt();
            }
        } catch (InterruptedException _) {
            writer.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
