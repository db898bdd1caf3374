package dev.holdfast.it.bench;

import dev.holdfast.it.scenario.OperatorProcess;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Scrapes the metrics of an operator every five seconds, as Prometheus would, until it is closed. */
final class Scraper implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final OperatorProcess operator;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().daemon().name("scraper").unstarted(this::run);

    private Scraper(OperatorProcess operator) {
        this.operator = operator;
    }

    static Scraper start(OperatorProcess operator) {
        Scraper scraper = new Scraper(operator);
        scraper.thread.start();
        return scraper;
    }

    private void run() {
        try {
            while (!closing.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                scrape();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void scrape() {
        try {
            var _ = operator.metrics();
        } catch (UncheckedIOException _) {
            // The operator starts or ends; Prometheus would try again.
        }
    }

    /** Ends the scrapes, and waits for one in progress. */
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
