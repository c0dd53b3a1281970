/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.auth;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The one user of an endpoint, and whether credentials are his. Credentials that are right are
 * remembered as a digest under a random key, so that only the first request pays for a slow hash.
 * One password at a time is checked against such a hash: guessing costs one core at most.
 * Thread-safe.
 *
 * <p>Somebody who guesses passwords cannot keep the user out. For each address only one password
 * waits to be checked, further ones are refused at once, and addresses take turns. Recent wrong
 * credentials are remembered, too: a client that repeats them, such as a server with an old
 * password, costs nothing. Where many different passwords come from one address, the right one is
 * as likely to be checked as any other.
 */
public final class BasicAuth {

    private static final String DIGEST = "HmacSHA256";
    private static final int MOST_WRONG = 1_024;

    /** How long a request waits for its turn; one check takes a good part of a second. */
    private static final long TURN_SECONDS = 5;

    private final byte[] user;

    /** Null where the password itself is known. */
    private final PasswordHash hash;

    private final SecretKeySpec key;
    private final Semaphore check = new Semaphore(1, true);

    /** The addresses of which a password is being checked or waits to be. */
    private final Set<Object> checked = ConcurrentHashMap.newKeySet();

    /** Digests of the last wrong credentials, the oldest first. */
    private final Set<ByteBuffer> wrong = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Boolean> eldest) {
            return size() > MOST_WRONG;
        }
    });

    /** Digest of the right user and password; null until somebody has given them. */
    private volatile byte[] right;

    /** What to answer to somebody who gives credentials. */
    public enum Verdict {
        ACCEPTED,
        REFUSED,

        /** Not checked: too many others are being checked. */
        BUSY
    }

    private BasicAuth(String user, PasswordHash hash) {
        this.user = user.getBytes(StandardCharsets.UTF_8);
        this.hash = hash;
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        key = new SecretKeySpec(random, DIGEST);
    }

    /** For a user whose password is known. */
    public static BasicAuth withPassword(String user, String password) {
        BasicAuth auth = new BasicAuth(user, null);
        auth.right = auth.digest(user, password);
        return auth;
    }

    /** For a user of whose password only the hash is known. */
    public static BasicAuth withHash(String user, PasswordHash hash) {
        return new BasicAuth(user, hash);
    }

    /**
     * Whether these are the user and his password. The time that this takes does not reveal how
     * much of them was right.
     *
     * @param from who asks, such as the address
     */
    public Verdict check(Object from, String givenUser, String password) {
        byte[] digest = digest(givenUser, password);
        byte[] known = right;
        if (known != null && MessageDigest.isEqual(known, digest)) {
            return Verdict.ACCEPTED;
        }
        if (hash == null || isKnownToBeWrong(digest)) {
            return Verdict.REFUSED;
        }
        if (!checked.add(from)) {
            return Verdict.BUSY;
        }
        try {
            if (!check.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS)) {
                return Verdict.BUSY;
            }
            try {
                return slowly(digest, givenUser, password);
            } finally {
                check.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Verdict.BUSY;
        } finally {
            checked.remove(from);
        }
    }

    private Verdict slowly(byte[] digest, String givenUser, String password) {
        boolean isUser = MessageDigest.isEqual(user, givenUser.getBytes(StandardCharsets.UTF_8));
        if (hash.isOf(password.toCharArray()) && isUser) {
            right = digest;
            return Verdict.ACCEPTED;
        }
        synchronized (wrong) {
            wrong.add(ByteBuffer.wrap(digest));
        }
        return Verdict.REFUSED;
    }

    private boolean isKnownToBeWrong(byte[] digest) {
        synchronized (wrong) {
            return wrong.contains(ByteBuffer.wrap(digest));
        }
    }

    /** A user name has no colon, so no two pairs have the same digest. */
    private byte[] digest(String user, String password) {
        try {
            Mac mac = Mac.getInstance(DIGEST);
            mac.init(key);
            return mac.doFinal((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + DIGEST, e);
        }
    }
}
