package dev.holdfast.operator.serve;

import java.security.SecureRandom;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** A TLS context that uses, for each new connection, the context that a supplier returns at that time. */
final class SuppliedContext extends SSLContext {
    SuppliedContext(Supplier<SSLContext> supplier) {
        super(new Spi(supplier), supplier.get().getProvider(), supplier.get().getProtocol());
    }

    private static final class Spi extends SSLContextSpi {
        private final Supplier<SSLContext> supplier;

        private Spi(Supplier<SSLContext> supplier) {
            this.supplier = supplier;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
            throw new IllegalStateException("the supplied contexts are initialized");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return supplier.get().createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return supplier.get().createSSLEngine(host, port);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return supplier.get().getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return supplier.get().getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return supplier.get().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return supplier.get().getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return supplier.get().getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return supplier.get().getSupportedSSLParameters();
        }
    }
}
