package dev.holdfast.operator.reconcile;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.status.PauseStatus;
import dev.holdfast.operator.translate.PauseReading;
import dev.holdfast.policies.plan.controls.WallClock;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The reconciler of EnforcementPauses: writes their status. A pause takes effect even if its status is never written,
 * because the {@link PauseStore} sends each pause to the engine.
 */
@ControllerConfiguration(name = "enforcementpause")
final class PauseReconciler implements Reconciler<EnforcementPause> {
    /** How long a status shows that the wall clock is not trusted before it is checked again. */
    private static final Duration UNTIL_TRUSTED = Duration.ofSeconds(10);

    private final PauseStore store;
    private final BooleanSupplier leads;
    private final InstantSource clock;
    private final Supplier<WallClock> wallClock;
    private final StatusWriter writer;
    private final StatusErrors statusErrors;

    /** The last write of each pause, by UID, as long as the watch may not have shown it. */
    private final Cache<String, LastWrite> lastWrites = Caffeine.newBuilder()
            .expireAfterWrite(Duration.ofMinutes(5))
            .maximumSize(1_000)
            .build();

    private final SimpleInboundEventSource<EnforcementPause> trigger = new SimpleInboundEventSource<>("lead");

    /**
     * A status that was written.
     *
     * @param before the resourceVersion of the pause that the watch showed then
     */
    private record LastWrite(String before, PauseStatus status) {}

    /**
     * Creates a reconciler that writes only while this replica leads.
     *
     * @param store the informer's store of all pauses
     * @param leads whether this replica leads now
     * @param clock the engine's clock
     * @param wallClock reads the wall clock
     */
    PauseReconciler(
            PauseStore store,
            BooleanSupplier leads,
            InstantSource clock,
            Supplier<WallClock> wallClock,
            StatusWriter writer,
            StatusErrors statusErrors) {
        this.writer = writer;
        this.statusErrors = statusErrors;
        this.store = store;
        this.leads = leads;
        this.clock = clock;
        this.wallClock = wallClock;
    }

    @Override
    public List<EventSource<?, EnforcementPause>> prepareEventSources(EventSourceContext<EnforcementPause> context) {
        return List.of(trigger);
    }

    @Override
    public UpdateControl<EnforcementPause> reconcile(EnforcementPause pause, Context<EnforcementPause> context) {
        return reconcile(pause);
    }

    UpdateControl<EnforcementPause> reconcile(EnforcementPause pause) {
        if (!leads.getAsBoolean()) {
            return UpdateControl.noUpdate();
        }
        EnforcementPause newest = withNewestStatus(pause);
        UpdateControl<EnforcementPause> wanted = store.reading(pause)
                .map(reading -> decide(newest, reading, wallClock.get(), clock.instant()))
                .orElseGet(UpdateControl::noUpdate);
        UpdateControl<EnforcementPause> rest = writer.carryOut(wanted);
        wanted.getResource()
                .ifPresent(patch -> lastWrites.put(
                        pause.getMetadata().getUid(),
                        new LastWrite(pause.getMetadata().getResourceVersion(), patch.getStatus())));
        return rest;
    }

    /**
     * {@return the pause, without its spec, with the status that was written last if the watch has not shown a later
     * one} So the same status is not written again with later transition times.
     */
    private EnforcementPause withNewestStatus(EnforcementPause pause) {
        EnforcementPause newest = new EnforcementPause();
        newest.setMetadata(pause.getMetadata());
        newest.setStatus(
                Optional.ofNullable(lastWrites.getIfPresent(pause.getMetadata().getUid()))
                        .filter(last -> last.before().equals(pause.getMetadata().getResourceVersion()))
                        .map(LastWrite::status)
                        .orElseGet(pause::getStatus));
        return newest;
    }

    @Override
    public ErrorStatusUpdateControl<EnforcementPause> updateErrorStatus(
            EnforcementPause pause, Context<EnforcementPause> context, Exception failure) {
        statusErrors.report(pause, failure);
        return ErrorStatusUpdateControl.defaultErrorProcessing();
    }

    /**
     * {@return whether to write the status of the pause now, and when to reconcile again because a window opens or
     * closes or the pause ends, or because the wall clock may be trusted again}
     *
     * @param reading what was read of the spec of the pause
     * @param now the time by the engine's clock
     */
    static UpdateControl<EnforcementPause> decide(
            EnforcementPause pause, PauseReading reading, WallClock wallClock, Instant now) {
        PauseStatus draft = PauseStatusDraft.of(pause, reading, wallClock, now);
        UpdateControl<EnforcementPause> control = draft.equals(pause.getStatus())
                ? UpdateControl.noUpdate()
                : UpdateControl.patchStatus(with(draft, pause));
        Optional<Duration> wait = reading.pause().countsAsActive(wallClock).isPresent()
                ? Optional.of(UNTIL_TRUSTED)
                : reading.pause()
                        .lasts(wallClock, now)
                        .map(change -> Duration.between(now, change))
                        .filter(Duration::isPositive);
        wait.ifPresent(control::rescheduleAfter);
        return control;
    }

    /**
     * {@return the object for the server-side apply: it has only the fields that the operator owns, those of the
     * status}
     */
    private static EnforcementPause with(PauseStatus status, EnforcementPause pause) {
        EnforcementPause patch = new EnforcementPause();
        patch.setStatus(status);
        patch.setMetadata(
                new ObjectMetaBuilder().withName(pause.getMetadata().getName()).build());
        return patch;
    }

    /**
     * Triggers a reconciliation of every pause, so that a new leader writes the statuses that it did not write as a
     * standby.
     */
    void takeOver() {
        store.values()
                .forEach(pause -> trigger.propagateEvent(
                        new ResourceID(pause.getMetadata().getName())));
    }
}
