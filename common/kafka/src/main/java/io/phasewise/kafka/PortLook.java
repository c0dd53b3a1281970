/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import io.phasewise.kafka.Spoken.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out which protocol the ports of a cluster speak, where a Kafka client cannot tell: TLS,
 * Kafka without TLS, or something that is no Kafka at all. A plain socket for each look, some
 * bytes, and a bound on time that holds to the last byte. That a port does not answer is left to
 * the Kafka clients to say.
 *
 * <p>A port is first asked in the protocol that the client would use. So a port that is right sees
 * nothing worse than a handshake that is broken off. Thread-safe.
 */
public final class PortLook {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** At most this many servers are looked at; each may take three times the patience. */
    private static final int MOST_SERVERS = 3;

    private static final Pattern SERVER = Pattern.compile("(?:[a-zA-Z_]+://)?\\[?([^\\[\\]]+)]?:(\\d{1,5})");

    private static final String CLOSED = "closes the connection";

    private final long patienceNanos;
    private final LongSupplier nanoClock;

    /**
     * A port that is not what the clients are set to.
     *
     * @param server its address, host:port
     * @param cause which setting does not fit
     * @param text what it speaks, and what to set
     */
    public record Mismatch(String server, Cause cause, String text) {}

    /** Which setting does not fit. */
    public enum Cause {
        /** The security protocol. */
        SECURITY_PROTOCOL,
        /** The address: it is no Kafka broker. */
        ADDRESS
    }

    /**
     * @param nanoClock monotonic nanoseconds
     */
    public PortLook(LongSupplier nanoClock) {
        this(PATIENCE, nanoClock);
    }

    PortLook(Duration patience, LongSupplier nanoClock) {
        this.patienceNanos = patience.toNanos();
        this.nanoClock = nanoClock;
    }

    /**
     * As {@link #look(Map, String)}, before a client is opened.
     *
     * @throws WrongPortException where the clients are set to something else than the servers speak
     */
    public void check(Map<String, ?> properties, String prefix) {
        look(properties, prefix).ifPresent(mismatch -> {
            throw new WrongPortException(mismatch);
        });
    }

    /**
     * Looks at the servers that clients of these properties begin with.
     *
     * @param properties bootstrap.servers and security.protocol among them
     * @param prefix of the properties' names where the reader sets them, with the dot, if any
     * @return the first server that is not as it should be; empty where one is, or none answers
     */
    public Optional<Mismatch> look(Map<String, ?> properties, String prefix) {
        List<String> servers = Arrays.stream(
                        String.valueOf(properties.get("bootstrap.servers")).split(","))
                .map(String::strip)
                .limit(MOST_SERVERS)
                .toList();
        if (isUnknown(properties)) {
            return Optional.empty();
        }
        boolean tls = isTls(properties);
        Optional<Mismatch> first = Optional.empty();
        for (String server : servers) {
            Optional<InetSocketAddress> parts = parts(server);
            if (parts.isEmpty()) {
                continue;
            }
            Spoken spoken = hear(parts.get().getHostString(), parts.get().getPort(), tls);
            if (spoken.protocol() == (tls ? Protocol.TLS : Protocol.KAFKA)) {
                return Optional.empty();
            }
            first = first.or(() -> mismatch(server, spoken, prefix));
        }
        return first;
    }

    /** Host and port; empty where it is no server. */
    static Optional<InetSocketAddress> parts(String server) {
        Matcher parts = SERVER.matcher(server);
        return parts.matches() && Integer.parseInt(parts.group(2)) <= 0xFFFF
                ? Optional.of(InetSocketAddress.createUnresolved(parts.group(1), Integer.parseInt(parts.group(2))))
                : Optional.empty();
    }

    /**
     * Looks at one server.
     *
     * @param properties security.protocol among them
     * @param prefix as in {@link #look}
     * @return empty where it is as it should be, or does not answer
     */
    public Optional<Mismatch> look(String host, int port, Map<String, ?> properties, String prefix) {
        if (isUnknown(properties)) {
            return Optional.empty();
        }
        boolean tls = isTls(properties);
        Spoken spoken = hear(host, port, tls);
        return spoken.protocol() == (tls ? Protocol.TLS : Protocol.KAFKA)
                ? Optional.empty()
                : mismatch(host + ":" + port, spoken, prefix);
    }

    /** A reference, such as {@code ${file:PATH:KEY}}, that only Kafka's clients resolve. */
    private static boolean isUnknown(Map<String, ?> properties) {
        return String.valueOf(properties.get("security.protocol")).contains("${");
    }

    private static boolean isTls(Map<String, ?> properties) {
        Object protocol = properties.get("security.protocol");
        return protocol != null
                && protocol.toString().strip().toUpperCase(Locale.ROOT).endsWith("SSL");
    }

    private static Optional<Mismatch> mismatch(String server, Spoken spoken, String prefix) {
        String key = prefix + "security.protocol";
        return switch (spoken.protocol()) {
            case TLS ->
                Optional.of(new Mismatch(
                        server, Cause.SECURITY_PROTOCOL, server + " speaks TLS: set " + key + " to SSL or SASL_SSL"));
            case KAFKA ->
                Optional.of(new Mismatch(
                        server,
                        Cause.SECURITY_PROTOCOL,
                        server + " speaks Kafka without TLS: set " + key + " to PLAINTEXT or SASL_PLAINTEXT"));
            case OTHER ->
                Optional.of(new Mismatch(server, Cause.ADDRESS, server + " is no Kafka broker: it " + spoken.words()));
            case NOTHING -> Optional.empty();
        };
    }

    private Spoken hear(String host, int port, boolean tls) {
        try {
            Spoken first = ask(host, port, tls ? Greeting.tls(host, port) : Greeting.kafka());
            // A broker closes the connection to whoever speaks TLS to it, or the other way round.
            return first.protocol() == Protocol.NOTHING && first.words().equals(CLOSED)
                    ? ask(host, port, tls ? Greeting.kafka() : Greeting.tls(host, port))
                    : first;
        } catch (IOException e) {
            return new Spoken(Protocol.NOTHING, "cannot be connected to");
        }
    }

    private Spoken ask(String host, int port, byte[] greeting) throws IOException {
        long end = nanoClock.getAsLong() + patienceNanos;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), millisUntil(end));
            try {
                socket.getOutputStream().write(greeting);
                byte[] answer = read(socket, end);
                return answer.length == 0 ? new Spoken(Protocol.NOTHING, CLOSED) : Greeting.heard(answer);
            } catch (SocketTimeoutException e) {
                return new Spoken(Protocol.NOTHING, "says nothing");
            } catch (IOException e) {
                return new Spoken(Protocol.NOTHING, CLOSED);
            }
        }
    }

    /**
     * The bytes that came until the time was over, the connection was closed or there were enough.
     */
    private byte[] read(Socket socket, long end) throws IOException {
        byte[] answer = new byte[Greeting.ENOUGH];
        int length = 0;
        InputStream in = socket.getInputStream();
        while (length < answer.length) {
            try {
                socket.setSoTimeout(millisUntil(end));
                int read = in.read(answer, length, answer.length - length);
                if (read < 0) {
                    break;
                }
                length += read;
                if (Greeting.heard(Arrays.copyOf(answer, length)).isKafkaOrTls()) {
                    break; // the rest says nothing more
                }
            } catch (IOException e) {
                if (length == 0) {
                    throw e;
                }
                break;
            }
        }
        return Arrays.copyOf(answer, length);
    }

    private int millisUntil(long end) throws SocketTimeoutException {
        long left = TimeUnit.NANOSECONDS.toMillis(end - nanoClock.getAsLong());
        if (left <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) left;
    }
}
