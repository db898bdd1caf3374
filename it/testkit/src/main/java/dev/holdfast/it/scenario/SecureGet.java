package dev.holdfast.it.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A GET by HTTPS from a server on loopback that signs its own certificate. */
final class SecureGet {
    private static final int MOST_MILLIS = 5_000;

    private SecureGet() {}

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            // Each test talks to a server on loopback that it has started itself.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            // Each test talks to a server on loopback that it has started itself.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    static String reply(URI uri, String token) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
            HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
            connection.setSSLSocketFactory(context.getSocketFactory());
            connection.setHostnameVerifier((_, _) -> true);
            connection.setConnectTimeout(MOST_MILLIS);
            connection.setReadTimeout(MOST_MILLIS);
            if (!token.isEmpty()) {
                connection.setRequestProperty("Authorization", "Bearer " + token);
            }
            int status = connection.getResponseCode();
            try (InputStream body = Optional.ofNullable(connection.getErrorStream())
                    .orElse(status < 400 ? connection.getInputStream() : InputStream.nullInputStream())) {
                return status + " " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
