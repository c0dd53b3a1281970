/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.kafka;

import io.phasewise.kafka.Spoken.Protocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * The first bytes that are sent to a port to find out which protocol it speaks, and what the first
 * bytes of its answer mean; sockets are left to {@link PortLook}.
 */
final class Greeting {
    /**
     * Ends a line twice: a server that reads lines, such as an HTTP server, answers then instead of
     * waiting for more. For Kafka it is a number that comes back with the answer.
     */
    private static final int CORRELATION_ID = 0x0D0A0D0A;

    private static final short API_VERSIONS = 18;
    private static final int LONGEST_ANSWER = 1 << 16;

    /** This many bytes of an answer are enough to tell what it is. */
    static final int ENOUGH = 64;

    private static final int SHOWN = 40;
    private static final int SHOWN_BYTES = 8;
    private static final Map<String, String> BANNERS = new TreeMap<>(Map.of(
            "HTTP/", "HTTP", "SSH-", "SSH", "220 ", "SMTP or FTP", "-ERR", "Redis", "* OK", "IMAP", "+OK", "POP3"));

    private Greeting() {}

    /** A request that every broker answers, also before a login: which versions it speaks. */
    static byte[] kafka() {
        ByteBuffer request = ByteBuffer.allocate(14);
        request.putInt(request.capacity() - Integer.BYTES);
        request.putShort(API_VERSIONS).putShort((short) 0);
        request.putInt(CORRELATION_ID);
        request.putShort((short) -1); // no client id
        return request.array();
    }

    /**
     * What a client sends first over TLS.
     *
     * @param host the server's name, as proxies choose by it
     */
    static byte[] tls(String host, int port) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, null, null);
            SSLEngine engine = context.createSSLEngine(host, port);
            engine.setUseClientMode(true);
            ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(ByteBuffer.allocate(0), hello);
            return Arrays.copyOf(hello.array(), hello.position());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /**
     * What an answer means, by its first bytes.
     *
     * @param answer as many bytes as came; at least one
     */
    static Spoken heard(byte[] answer) {
        ByteBuffer bytes = ByteBuffer.wrap(answer);
        // A TLS record: alert, handshake; then the major version.
        if (answer.length >= 2 && (answer[0] == 0x15 || answer[0] == 0x16) && answer[1] == 3) {
            return Spoken.of(Protocol.TLS);
        }
        if (answer.length >= 8
                && bytes.getInt(0) > 0
                && bytes.getInt(0) <= LONGEST_ANSWER
                && bytes.getInt(4) == CORRELATION_ID) {
            return Spoken.of(Protocol.KAFKA);
        }
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        for (Map.Entry<String, String> banner : BANNERS.entrySet()) {
            if (text.startsWith(banner.getKey())) {
                return new Spoken(Protocol.OTHER, "answers " + banner.getValue() + " (" + quoted(text) + ")");
            }
        }
        boolean isText = text.substring(0, Math.min(4, text.length())).matches("[ -~\\s]+");
        return new Spoken(Protocol.OTHER, "answers " + (isText ? quoted(text) : "the bytes " + hex(answer)));
    }

    private static String hex(byte[] answer) {
        byte[] shown = Arrays.copyOf(answer, Math.min(SHOWN_BYTES, answer.length));
        return HexFormat.ofDelimiter(" ").formatHex(shown);
    }

    /** The first line, without what a terminal or a log would take for something else. */
    private static String quoted(String text) {
        String line = text.split("\\R", 2)[0];
        String shown = line.substring(0, Math.min(SHOWN, line.length())).replaceAll("[^ -~]", ".");
        return '"' + shown + '"';
    }
}
