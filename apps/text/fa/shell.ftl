# واژه‌های قاب و بخش‌های مشترک صفحه‌ها.

shell-name = آزمایشگاه رمزگشایی
lang = زبان
lang-en = English
lang-ar = العربية
lang-fa = فارسی

section-start = آغاز
section-numbers = عددها و جمع‌ها
section-batch = دسته و توکن
section-repair = ترمیم
section-speculation = رمزگشایی گمانه‌زن

machine-title = مدل و دستگاه
model = مدل
    .help = اجراهای زنده با این مدل انجام می‌شوند. هر ردِّ ضبط‌شده مدل خود را نام می‌برد.
device = دستگاه
    .help = گزینهٔ خودکار، اگر دستگاه CUDA باشد آن را برمی‌گزیند، وگرنه MPS و وگرنه CPU.
device-auto = خودکار
machine-threads = { $threads ->
    [one] torch با یک ریسه حساب می‌کند.
   *[other] torch با { $threads } ریسه حساب می‌کند.
}

link-copy = رونوشت پیوند
link-copied = پیوند رونوشت شد
link-shown = این پیوند را رونوشت کنید:

error-title = این اجرا ممکن نیست.

run = اجرا
stop = توقف
run-forget = نمایش ردِّ ضبط‌شده
run-loading = مدل بار می‌شود…
run-progress = گام { $done } از { $total }
run-stopped = اجرا پس از { $done } گام از { $total } گام متوقف شد.
run-stale = تنظیم‌ها پس از این اجرا تغییر کرده‌اند. برای اجرا با تنظیم‌های تازه «اجرا» را بزنید.

origin-recorded = ضبط‌شده
origin-live = زنده
origin = { $model } · { $machine } · { $date } · کد { $code }

notice = به چه توجه کنیم
try-this = این را بیازمایید
formula = فرمول و کد آن

download-csv = CSV
download-jsonl = JSONL

token-plain = توکن { $position }
token-agree = توکن { $position }، یکسان
token-flip = توکن { $position }، تغییر
token-prompt = توکن { $position }، از پرامپت
