package dev.holdfast.it.scenario;

import dev.holdfast.it.controlplane.TimeLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import okhttp3.tls.HandshakeCertificates;

/** A GET by HTTPS from a server on loopback. */
final class SecureGet {
    private SecureGet() {}

    /** {@return the status and, behind a space, the body, from a server whose certificate the authority issued} */
    static String reply(URI uri, X509Certificate authority, String token) {
        return reply(
                uri,
                new HandshakeCertificates.Builder()
                        .addTrustedCertificate(authority)
                        .build(),
                token);
    }

    /** {@return the status and, behind a space, the body, from a server with any certificate} */
    static String unverifiedReply(URI uri, String token) {
        return reply(
                uri,
                new HandshakeCertificates.Builder()
                        .addInsecureHost(uri.getHost())
                        .addPlatformTrustedCertificates()
                        .build(),
                token);
    }

    private static String reply(URI uri, HandshakeCertificates certificates, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(TimeLimits.ANSWER);
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(certificates.sslContext())
                .connectTimeout(TimeLimits.ANSWER)
                .build()) {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
