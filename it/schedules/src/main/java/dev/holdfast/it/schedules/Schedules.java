package dev.holdfast.it.schedules;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import kotlin.Unit;
import org.pastalab.fray.core.TestRunner;
import org.pastalab.fray.core.command.Configuration;
import org.pastalab.fray.core.command.ExecutionInfo;
import org.pastalab.fray.core.command.LambdaExecutor;
import org.pastalab.fray.core.command.NetworkDelegateType;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.core.observers.TimelineCoverageType;
import org.pastalab.fray.core.randomness.ControlledRandom;
import org.pastalab.fray.core.randomness.RandomnessProvider;
import org.pastalab.fray.core.scheduler.POSScheduler;

/**
 * Plays a scenario of several threads under many random schedules, each of which a seed decides.
 *
 * <p>{@code -Dholdfast.schedules=N} sets the number of schedules of each scenario, and {@code
 * -Dholdfast.schedules.seed=S} the seed of the first; the others follow it.
 */
public final class Schedules {
    private static final int COUNT = Integer.getInteger("holdfast.schedules", 100);
    private static final long SEED = Long.getLong("holdfast.schedules.seed", new Random().nextInt(1_000_000));
    private static final Path REPORT = Path.of(System.getProperty("holdfast.schedules.report", "target/fray/report"));

    /** Longer than any scenario takes: the schedules are counted, and a shorter run must not pass. */
    private static final int NO_TIME_LIMIT_SECONDS = 24 * 60 * 60;

    private Schedules() {}

    /** Threads that share something. Whatever it throws, in any of its threads, is a failure. */
    @FunctionalInterface
    public interface Scenario {
        void play() throws Exception;
    }

    /**
     * Plays the scenario until a schedule fails or all have passed.
     *
     * @throws AssertionError if a schedule fails: names its seed, and has what was thrown as its cause
     */
    public static void play(Scenario scenario) {
        PrintStream out = System.out;
        // Fray clears the screen to show its progress.
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try {
            playAll(configuration(scenario));
        } finally {
            System.setOut(out);
        }
    }

    private static void playAll(Configuration configuration) {
        Throwable failure = new TestRunner(configuration).run();
        int passed = configuration.getCurrentIteration();
        if (failure != null) {
            throw new AssertionError(
                    "schedule " + (passed + 1) + " of " + COUNT + " fails: play it alone with -Dholdfast.schedules=1"
                            + " -Dholdfast.schedules.seed=" + (SEED + passed),
                    failure);
        }
        if (passed != COUNT) {
            throw new AssertionError("only " + passed + " of " + COUNT + " schedules were played");
        }
    }

    private static Configuration configuration(Scenario scenario) {
        Seeds seeds = new Seeds();
        boolean interleaveFields = true;
        int noStepLimit = -1;
        ExecutionInfo execution = new ExecutionInfo(
                new LambdaExecutor(() -> {
                    run(scenario);
                    return Unit.INSTANCE;
                }),
                false,
                interleaveFields,
                noStepLimit);
        return new Configuration(
                execution,
                REPORT,
                COUNT,
                NO_TIME_LIMIT_SECONDS,
                new POSScheduler(seeds.getRandomness()),
                seeds,
                /* fullSchedule= */ false,
                /* exploreMode= */ false,
                /* noExitWhenBugFound= */ true,
                /* isReplay= */ false,
                /* noFray= */ false,
                /* dummyRun= */ false,
                NetworkDelegateType.NONE,
                SystemTimeDelegateType.NONE,
                /* virtualTimeDelta= */ 100_000L,
                /* ignoreTimedBlock= */ true,
                /* sleepAsYield= */ true,
                /* resetClassLoader= */ false,
                /* redirectStdout= */ false,
                /* abortThreadExecutionAfterMainExit= */ false,
                /* resolveRacingOperationStackTraceHash= */ false,
                TimelineCoverageType.NONE);
    }

    private static void run(Scenario scenario) {
        try {
            scenario.play();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Random numbers of a seed for each schedule. */
    private static final class Seeds implements RandomnessProvider {
        private long next = SEED;

        @Override
        public ControlledRandom getRandomness() {
            return new ControlledRandom(new ArrayList<>(), new ArrayList<>(), new Random(next++));
        }
    }
}
