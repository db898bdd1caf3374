package dev.holdfast.policies.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.model.NamespacedName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An engine belongs to one thread. */
class EngineOwnerTest {
    private final Engine engine = new Engine(EngineScenario.settings());

    static Stream<Arguments> uses() {
        return Stream.of(
                use("a step", engine -> engine.step(new Event.TimePassed(), EngineScenario.START)),
                use("the activity", engine -> engine.activity(EngineScenario.START)),
                use("the views", Engine::views),
                use(
                        "the controller of a pod's controller",
                        engine -> engine.controllerAbove(
                                new BoundPod(new NamespacedName("shop", "web-1"), "uid", "n1", Optional.empty()))),
                use("what it stores", Engine::remembered),
                use("the next decision", engine -> engine.nextDecision(EngineScenario.START)),
                use("a wait for a node", engine -> engine.awaitsEvictionWithoutNode(EngineScenario.START)));
    }

    private static Arguments use(String name, Consumer<Engine> use) {
        return argumentSet(name, use);
    }

    @ParameterizedTest
    @MethodSource("uses")
    void aSecondThreadIsRefusedUntilTheEngineIsHandedOver(Consumer<Engine> use) {
        onThread("engine", () -> engine.step(new Event.TimePassed(), EngineScenario.START));

        assertThatThrownBy(() -> onThread("closing", () -> use.accept(engine)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the engine belongs to the thread 'engine' and was used by 'closing': a bug, please report"
                        + " it");
        onThread("closing", () -> {
            engine.handOver();
            use.accept(engine);
        });
        assertThatThrownBy(() -> onThread("engine", () -> use.accept(engine)))
                .isInstanceOf(IllegalStateException.class);
    }

    private static void onThread(String name, Runnable task) {
        try {
            CompletableFuture.runAsync(
                            task, run -> Thread.ofPlatform().name(name).start(run))
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
