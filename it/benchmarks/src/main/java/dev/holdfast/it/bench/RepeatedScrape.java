package dev.holdfast.it.bench;

import dev.holdfast.it.scenario.OperatorProcess;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that may read the operator's metrics and scrapes them each second, until it is closed. */
final class RepeatedScrape implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicInteger tried = new AtomicInteger();
    private final AtomicInteger succeeded = new AtomicInteger();

    RepeatedScrape(MetricsReader reader, OperatorProcess operator) {
        thread.execute(() -> scrape(reader, operator));
    }

    private void scrape(MetricsReader reader, OperatorProcess operator) {
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(1);
                boolean read = reader.reads(operator);
                tried.incrementAndGet();
                succeeded.addAndGet(read ? 1 : 0);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the complete scrapes until now} */
    ConnectionsOutcome.Scrapes scrapes() {
        return new ConnectionsOutcome.Scrapes(tried.get(), succeeded.get());
    }

    @Override
    public void close() {
        thread.shutdownNow();
        thread.close();
    }
}
