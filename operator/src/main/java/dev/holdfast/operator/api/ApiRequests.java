package dev.holdfast.operator.api;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/** Counts the requests of this process to the API server, by verb and status code. */
public final class ApiRequests implements Interceptor {
    /** The code of a request without a response. */
    private static final String NO_RESPONSE = "none";

    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * A kind of request.
     *
     * @param verb the HTTP method in lower case, or {@code watch}
     * @param code the status code of the response, or {@code none} if there was no response
     */
    public record Kind(String verb, String code) {}

    @Override
    public Response intercept(Chain chain) throws IOException {
        String verb = verb(chain.request());
        try {
            Response response = chain.proceed(chain.request());
            count(verb, Integer.toString(response.code()));
            return response;
        } catch (IOException e) {
            count(verb, NO_RESPONSE);
            throw e;
        }
    }

    private void count(String verb, String code) {
        counts.computeIfAbsent(new Kind(verb, code), _ -> new LongAdder()).increment();
    }

    private static String verb(Request request) {
        String watch = request.url().queryParameter("watch");
        return "true".equals(watch) || "1".equals(watch)
                ? "watch"
                : request.method().toLowerCase(Locale.ROOT);
    }

    /** {@return the number of requests so far, by kind} */
    public Map<Kind, Long> counts() {
        return counts.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().sum()));
    }
}
