set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Dropped refreshes by stage: Scroll window (app-overrun-sustained)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "\062\060 of \070\061 refreshes dropped (\062\064.\067 \045): \062\060 by the app" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.8571428571428572
set bmargin at screen 0.10000000000000009
set xrange [0.0166668:1.3666776]
set xlabel "time in s" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:2.22]
set ylabel "dropped refreshes that begin in each \065\060 ms" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("\060" 0.0, "\061" 1.0, "\062" 2.0)
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(14) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "the app \062\060"
unset label
unset multiplot
unset output
# data/0: 0.35000000000000003 0.4 0.0 1.0 0.4 0.45 0.0 1.0 0.45 0.5 0.0 2.0 0.5 0.55 0.0 1.0 0.55 0.6000000000000001 0.0 2.0 0.6000000000000001 0.65 0.0 1.0 0.65 0.7000000000000001 0.0 2.0 0.7000000000000001 0.75 0.0 1.0 0.75 0.8 0.0 2.0 0.8 0.8500000000000001 0.0 1.0 0.8500000000000001 0.9 0.0 2.0 0.9 0.9500000000000001 0.0 1.0 0.9500000000000001 1.0 0.0 2.0 1.0 1.05 0.0 1.0
