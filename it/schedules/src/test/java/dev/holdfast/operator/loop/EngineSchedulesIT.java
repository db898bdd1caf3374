package dev.holdfast.operator.loop;

import dev.holdfast.it.schedules.Schedules;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The engine's thread, the threads that give it events, those of its requests, and the one that closes it. */
class EngineSchedulesIT {
    private static final Event FIRST = new Event.ObjectChanged(new ClusterEvent.NamespaceGone("a"));
    private static final Event SECOND = new Event.ObjectChanged(new ClusterEvent.NamespaceGone("b"));
    private static final List<Effect> EVICT_ONE = List.of(new Effect.Evict(request("plan-1")));
    private static final List<Effect> EVICT_TWO = List.of(new Effect.Evict(request("plan-2")));

    private static EvictionRequest request(String plan) {
        return new EvictionRequest(
                plan,
                new NamespacedName("shop", "web-1"),
                "uid",
                OptionalLong.of(7),
                PolicyId.cluster("audit"),
                "ssd",
                new Rule.NodeAffinity(Labels.none(), Optional.empty()).identity(),
                "cause",
                Instant.EPOCH);
    }

    /** A loop whose engine evicts when it learns that it leads, and when the view of pods is complete. */
    private static final class Loop {
        private final EventQueue queue = new EventQueue();
        private final CountDownLatch bothTaken = new CountDownLatch(1);
        private final EngineLoop loop = new EngineLoop(
                queue,
                this::step,
                () -> {},
                () -> Instant.EPOCH,
                handlers(),
                (event, bug) -> {
                    throw new IllegalStateException("on " + event, bug);
                },
                (_, death) -> {
                    throw new IllegalStateException(death);
                });

        // The engine has no lock: one thread steps at a time.
        private final List<Event> stepped = new ArrayList<>();
        private boolean closed;

        private List<Effect> step(Event event, Instant now) {
            if (closed) {
                throw new IllegalStateException("a step after the close: " + event);
            }
            stepped.add(event);
            if (event.equals(SECOND)) {
                bothTaken.countDown();
            }
            return switch (event) {
                case Event.LeadershipGained _ -> EVICT_ONE;
                case Event.ViewSynced _ -> EVICT_TWO;
                case Event _ -> List.of();
            };
        }

        void close() {
            loop.close();
            closed = true;
        }

        private static EffectHandlers handlers() {
            return new EffectHandlers(
                    asked -> new Event.ConfirmFailed(asked.planId(), Reason.API_ERROR, "unused"),
                    asked -> new Event.ClaimRead(asked.claim(), new ClaimedVolume.Unreadable("unused")),
                    _ -> new EvictionAnswer.Gone(),
                    _ -> new EvictionAnswer.Gone(),
                    asked -> new Event.LedgerRead(asked.number(), new LedgerReading.NoMemory("unused"), Duration.ZERO),
                    asked -> new Event.LedgerWritten(asked.revision()),
                    asked -> new Event.ClocksWritten(asked.write().number(), Set.of()),
                    _ -> {},
                    _ -> {},
                    _ -> {},
                    _ -> {},
                    _ -> {},
                    _ -> {});
        }

        /** Checks that each eviction has one answer, which came after its request, and that the end came last. */
        void answeredEach() {
            answered(stepped.indexOf(new Event.LeadershipGained()), "plan-1");
            answered(stepped.indexOf(new Event.ViewSynced(View.PODS)), "plan-2");
            if (!(stepped.getLast() instanceof Event.Ending)) {
                throw new IllegalStateException("the end is not last: " + stepped);
            }
        }

        private void answered(int request, String plan) {
            List<Integer> answers = new ArrayList<>();
            for (int i = 0; i < stepped.size(); i++) {
                if (stepped.get(i) instanceof Event.Answered(String planId, var _) && planId.equals(plan)) {
                    answers.add(i);
                }
            }
            boolean right = request < 0 ? answers.isEmpty() : answers.size() == 1 && answers.getFirst() > request;
            if (!right) {
                throw new IllegalStateException("answers to " + plan + ": " + stepped);
            }
        }
    }

    private static Thread offers(EventQueue queue, Event... events) {
        return Thread.ofPlatform().start(() -> {
            for (Event event : events) {
                queue.offer(event);
            }
        });
    }

    @Test
    void eachEvictionIsAnsweredOnceWhileTheLoopIsClosed() {
        Schedules.play(() -> {
            Loop loop = new Loop();
            loop.loop.start();
            Thread lead = offers(loop.queue, new Event.LeadershipGained());
            Thread feed = offers(loop.queue, FIRST, new Event.ViewSynced(View.PODS), SECOND);
            loop.close();
            lead.join();
            feed.join();
            loop.answeredEach();
        });
    }

    @Test
    void eventsOfOneThreadAreTakenInTheirOrderAndNoneIsLost() {
        Schedules.play(() -> {
            Loop loop = new Loop();
            Thread lead = offers(loop.queue, new Event.LeadershipGained());
            Thread feed = offers(loop.queue, FIRST, SECOND);
            loop.loop.start();
            lead.join();
            feed.join();
            loop.bothTaken.await();
            loop.close();
            loop.answeredEach();
            if (loop.stepped.indexOf(FIRST) < 0 || loop.stepped.indexOf(FIRST) > loop.stepped.indexOf(SECOND)) {
                throw new IllegalStateException("out of order: " + loop.stepped);
            }
        });
    }
}
