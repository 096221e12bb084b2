//! A write-ahead log: records with a length and a checksum, durable before they are acknowledged.
//!
//! One process holds the log (`flock`). A torn tail, left by a crash in the middle of an append, is cut off when the log
//! is opened. Compaction writes a new file and puts it in the old one's place.

const std = @import("std");

pub const magic: u32 = 0xFAC7_106;
pub const max_record_bytes = 64 * 1024;

pub const State = enum { recovering, open, failed };

pub const Header = extern struct {
    magic: u32,
    len: u32,
    checksum: u32,
};

pub const Error = error{ Busy, Failed, TooLarge };

pub const Log = struct {
    dir: std.fs.Dir,
    file: std.fs.File,
    end: u64,
    state: State,

    /// Opens the log, alone, and cuts off a torn tail before anything can be appended behind it.
    pub fn open(dir: std.fs.Dir, name: []const u8) !Log {
        const file = try dir.createFile(name, .{ .read = true, .truncate = false });
        errdefer file.close();
        if (!try file.tryLock(.exclusive)) return error.Busy;

        var log = Log{ .dir = dir, .file = file, .end = 0, .state = .recovering };
        log.end = try log.intactBytes();
        try log.file.setEndPos(log.end);
        try log.file.sync();
        log.state = .open;
        return log;
    }

    pub fn close(log: *Log) void {
        log.file.unlock();
        log.file.close();
    }

    /// Appends one record. When it returns, the record survives a crash; when it fails, nothing of it is acknowledged
    /// and the log takes no more.
    pub fn append(log: *Log, record: []const u8) !u64 {
        if (log.state != .open) return error.Failed;
        if (record.len > max_record_bytes) return error.TooLarge;
        errdefer log.state = .failed;

        const header = Header{
            .magic = magic,
            .len = @intCast(record.len),
            .checksum = std.hash.Crc32.hash(record),
        };
        try log.file.pwriteAll(std.mem.asBytes(&header), log.end);
        try log.file.pwriteAll(record, log.end + @sizeOf(Header));
        try log.file.sync();
        log.end += @sizeOf(Header) + record.len;
        return log.end;
    }

    /// The length of the longest prefix that holds only whole records with the right checksum.
    fn intactBytes(log: *Log) !u64 {
        var buffer: [max_record_bytes]u8 = undefined;
        var end: u64 = 0;
        while (true) {
            var header: Header = undefined;
            const header_bytes = std.mem.asBytes(&header);
            if (try log.file.preadAll(header_bytes, end) < header_bytes.len) return end;
            if (header.magic != magic or header.len > max_record_bytes) return end;
            const record = buffer[0..header.len];
            if (try log.file.preadAll(record, end + header_bytes.len) < record.len) return end;
            if (std.hash.Crc32.hash(record) != header.checksum) return end;
            end += header_bytes.len + record.len;
        }
    }

    /// Puts a snapshot in the log's place: the new file is durable before it gets the name, and the name before the
    /// old log is forgotten.
    pub fn compact(log: *Log, name: []const u8, snapshot: []const u8) !void {
        if (log.state != .open) return error.Failed;
        errdefer log.state = .failed;

        const fresh = try log.dir.createFile("compact.tmp", .{ .read = true });
        errdefer fresh.close();
        if (!try fresh.tryLock(.exclusive)) return error.Busy;
        try fresh.pwriteAll(snapshot, 0);
        try fresh.sync();
        try log.dir.rename("compact.tmp", name);
        try std.posix.fsync(log.dir.fd);

        log.close();
        log.file = fresh;
        log.end = snapshot.len;
    }
};

test "a torn tail is cut off" {
    var tmp = std.testing.tmpDir(.{});
    defer tmp.cleanup();
    var log = try Log.open(tmp.dir, "log");
    const intact = try log.append("one");
    _ = try log.append("two");
    try log.file.setEndPos(log.end - 1);
    log.close();

    var again = try Log.open(tmp.dir, "log");
    defer again.close();
    try std.testing.expectEqual(intact, again.end);
}

test "the log is held by one" {
    var tmp = std.testing.tmpDir(.{});
    defer tmp.cleanup();
    var log = try Log.open(tmp.dir, "log");
    defer log.close();
    try std.testing.expectError(error.Busy, Log.open(tmp.dir, "log"));
}
